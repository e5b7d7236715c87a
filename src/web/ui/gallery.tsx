/** Every component in its states, at `/~octavo/ui`: for review, screenshots and accessibility tests. */
import { type ReactNode, lazy, useState } from 'react'
import { Header } from '../shell/frame.js'
import { SaveLine } from '../editor/save-line.js'
import { TreeView } from '../tree/tree-view.js'
import { Button, IconButton } from './button.js'
import { Dialog } from './dialog.js'
import { Avatar, Badge, EmptyState, ErrorNotice, Notice, Skeleton } from './display.js'
import { useEditedValue } from './edited-value.js'
import { SelectField, TextField } from './field.js'
import { Icon, iconNames } from './icon.js'
import { AnchoredMenu, Menu, type MenuGroups } from './menu.js'
import { Popover } from './popover.js'
import { Segmented } from './segmented.js'
import { SuggestField } from './suggest-field.js'
import { showToast } from './toast.js'
import './gallery.css'

const EmojiGrid = lazy(() => import('./emoji-grid.js'))

const menuGroups: MenuGroups = [
  [
    { name: 'Rename', icon: 'pencil', keys: 'F2' },
    { name: 'Rich text', icon: 'pencil', isChecked: true },
    { name: 'Duplicate', icon: 'copy', detail: 'With the pages below' },
    { name: 'Merge', icon: 'gitMerge', disabledReason: 'You may not merge.' },
  ],
  [{ name: 'Delete', icon: 'trash', isDanger: true }],
]

interface Node {
  readonly id: string
  readonly title: string
  readonly children: readonly Node[]
}
const leaf = (title: string): Node => ({ id: title, title, children: [] })
const treeNodes: readonly Node[] = [
  leaf('Current page'),
  {
    id: 'Guides',
    title: 'Guides',
    children: [leaf('Selected page'), leaf('A page whose title is longer than the list is wide')],
  },
  { id: 'Reference', title: 'Reference', children: [leaf('Closed')] },
  leaf('Another page'),
]
const suggestions = [
  { value: 'a', name: 'Quickstart', detail: 'Guides', icon: 'fileText' as const },
  {
    value: 'b',
    name: 'A page whose title is longer than the list',
    detail: 'Reference',
    icon: 'fileText' as const,
  },
]

export default function Gallery() {
  const [value, setValue] = useState('Handbook')
  const [view, setView] = useState<'rich' | 'source'>('rich')
  const [open, setOpen] = useState<'dialog' | 'wide' | 'popover' | 'emoji' | 'menu'>()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set(['Guides']))
  const [saved, setSaved] = useState('Edited in place')
  const edited = useEditedValue(saved, setSaved, { isRequired: true })
  const close = () => setOpen(undefined)
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
          <Menu trigger={<Button icon="ellipsis">Menu</Button>} groups={menuGroups} />
          <Button onClick={() => setOpen('dialog')}>Dialog</Button>
          <Button onClick={() => setOpen('wide')}>Wide dialog</Button>
          <span ref={setAnchor} className="gallery-items">
            <Button onClick={() => setOpen('popover')}>Popover</Button>
            <Button onClick={() => setOpen('emoji')}>Emoji</Button>
          </span>
          <Button onClick={() => showToast('The space is in the trash')}>Message</Button>
          <Button
            onClick={() =>
              showToast('Not saved', { description: 'The server cannot be reached.', kind: 'error' })
            }
          >
            Error
          </Button>
        </Group>
        <Group title="Values edited in place">
          <input
            className="input gallery-narrow"
            aria-label="Edited value"
            {...edited}
            onChange={({ currentTarget }) => edited.onChange(currentTarget.value)}
          />
          <span className="gallery-value">{saved}</span>
        </Group>
        <Group title="Search and suggestions">
          <div className="gallery-narrow">
            <SuggestField
              label="Page"
              value="Qui"
              nothing="No page has these words."
              isOpen
              suggest={() => Promise.resolve(suggestions)}
              onChoose={() => {}}
            />
          </div>
          <div className="gallery-narrow">
            <SuggestField
              label="Nothing is found"
              value="xyz"
              nothing="No page has these words."
              isOpen
              suggest={() => Promise.resolve([])}
              onChoose={() => {}}
            />
          </div>
        </Group>
        <Group title="Tree">
          <div className="gallery-tree">
            <TreeView
              label="Pages"
              nodes={treeNodes}
              expanded={expanded}
              onToggle={(ids, isExpanded) =>
                setExpanded(
                  (before) =>
                    new Set(isExpanded ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))),
                )
              }
              current="Current page"
              selected={new Set(['Selected page'])}
              onSelect={() => {}}
              onOpen={() => {}}
              renderIcon={renderTreeIcon}
              onMenu={(_node, at) => {
                if (at instanceof Element) setAnchor(at)
                setOpen('menu')
              }}
            />
          </div>
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
      {(open === 'dialog' || open === 'wide') && (
        <Dialog
          title="New space"
          description="A space holds the pages of one subject."
          width={open === 'wide' ? 'wide' : 'narrow'}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button variant="primary">Create space</Button>
            </>
          }
        >
          <TextField label="Name" value={value} onChange={setValue} />
        </Dialog>
      )}
      {open === 'popover' && anchor !== null && (
        <Popover title="Hint" anchor={anchor} onClose={close}>
          <TextField label="Title" value={value} onChange={setValue} />
        </Popover>
      )}
      {open === 'emoji' && anchor !== null && (
        <Popover title="Emoji" anchor={anchor} onClose={close}>
          <EmojiGrid label="Search emoji" kindLabel="Kind" value="🧭" onChoose={close} />
        </Popover>
      )}
      {open === 'menu' && anchor !== null && (
        <AnchoredMenu label="Menu of the page" anchor={anchor} groups={menuGroups} onClose={close} />
      )}
    </>
  )
}

const renderTreeIcon = (node: Node) => <Icon name={node.children.length > 0 ? 'folder' : 'fileText'} />

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="gallery-group">
      <h2>{title}</h2>
      <div className="gallery-items">{children}</div>
    </section>
  )
}
