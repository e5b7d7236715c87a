/** Every component in its states, at `/~octavo/ui`: for review, screenshots and accessibility tests. */
import { type ReactNode, useState } from 'react'
import { Header } from '../shell/frame.js'
import { SaveLine } from '../editor/save-line.js'
import { Button, IconButton } from './button.js'
import { Dialog } from './dialog.js'
import { Avatar, Badge, EmptyState, ErrorNotice, Notice, Skeleton } from './display.js'
import { SelectField, TextField } from './field.js'
import { Icon, iconNames } from './icon.js'
import { Menu } from './menu.js'
import { Segmented } from './segmented.js'
import { showToast } from './toast.js'
import './gallery.css'

export default function Gallery() {
  const [value, setValue] = useState('Handbook')
  const [view, setView] = useState<'rich' | 'source'>('rich')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Header>
        <h1>Components</h1>
      </Header>
      <div className="gallery">
        <Group title="Buttons">
          <Button variant="primary" icon="gitMerge">
            Merge
          </Button>
          <Button icon="plus">New space</Button>
          <Button variant="quiet">Cancel</Button>
          <Button variant="danger" icon="trash">
            Delete
          </Button>
          <Button variant="primary" isBusy>
            Saving
          </Button>
          <Button disabledReason="Only administrators can do this.">Invite</Button>
          <IconButton icon="ellipsis" label="More" />
          <IconButton icon="panelLeft" label="Side bar" keys="[" aria-pressed />
        </Group>
        <Group title="Fields">
          <TextField label="Name" value={value} onChange={setValue} hint="Up to 50 characters." />
          <TextField label="Name" value="" onChange={() => {}} error="The name is missing." />
          <SelectField
            label="Collection"
            value="a"
            onChange={() => {}}
            choices={[
              { value: 'a', name: 'None' },
              { value: 'b', name: 'Product' },
            ]}
          />
        </Group>
        <Group title="Choices">
          <Segmented
            label="View"
            value={view}
            onChange={setView}
            choices={[
              { value: 'rich', name: 'Rich text', icon: 'pencil' },
              { value: 'source', name: 'Markdown', icon: 'code' },
            ]}
          />
          <Menu
            trigger={<Button icon="ellipsis">Menu</Button>}
            groups={[
              [
                { name: 'Rename', icon: 'pencil', keys: 'F2' },
                { name: 'Duplicate', icon: 'copy' },
                { name: 'Merge', icon: 'gitMerge', disabledReason: 'You may not merge.' },
              ],
              [{ name: 'Delete', icon: 'trash', isDanger: true }],
            ]}
          />
          <Button onClick={() => setOpen(true)}>Dialog</Button>
          <Button onClick={() => showToast('The space is in the trash')}>Message</Button>
          <Button
            onClick={() =>
              showToast('Not saved', { description: 'The server cannot be reached.', kind: 'error' })
            }
          >
            Error
          </Button>
        </Group>
        <Group title="States">
          <Badge>Draft</Badge>
          <Badge tone="accent">In review</Badge>
          <Badge tone="green">Merged</Badge>
          <Badge tone="amber">Outdated</Badge>
          <Badge tone="red">Blocked</Badge>
          <Avatar name="Ann Example" />
          <SaveLine state={{ kind: 'saved', isMerged: false }} />
          <SaveLine state={{ kind: 'saving', isInTabOnly: false }} />
          <SaveLine state={{ kind: 'offline', changes: 12, isInTabOnly: false }} />
          <SaveLine
            state={{ kind: 'conflict', ours: '', theirs: { hash: '', text: '' }, isInTabOnly: false }}
          />
        </Group>
        <Group title="Notices">
          <Notice tone="accent" icon="refresh">
            The space has changed since.
          </Notice>
          <Notice tone="green" icon="circleCheck">
            The change is part of the space now.
          </Notice>
          <Notice tone="amber" icon="triangleAlert">
            What you wrote last is not saved yet.
          </Notice>
          <ErrorNotice error={new Error('The server cannot be reached.')} onRetry={() => {}} />
        </Group>
        <Group title="Loading and empty">
          <Skeleton lines={5} />
          <EmptyState
            icon="book"
            title="Write the first page"
            actions={<Button variant="primary">New space</Button>}
          >
            A space holds the pages of one subject.
          </EmptyState>
        </Group>
        <Group title="Icons">
          {iconNames.map((name) => (
            <span key={name} className="gallery-icon">
              <Icon name={name} />
              {name}
            </span>
          ))}
        </Group>
      </div>
      {isOpen && (
        <Dialog
          title="New space"
          description="A space holds the pages of one subject."
          onClose={() => setOpen(false)}
          actions={
            <>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button variant="primary">Create space</Button>
            </>
          }
        >
          <TextField label="Name" value={value} onChange={setValue} />
        </Dialog>
      )}
    </>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="gallery-group">
      <h2>{title}</h2>
      <div className="gallery-items">{children}</div>
    </section>
  )
}
