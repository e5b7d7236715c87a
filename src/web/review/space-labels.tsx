/** Labels of a space, in the header of its change requests: the custom fields that it has values of. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type CustomFieldValue, listCustomFieldValues } from '../../contract/custom-fields.js'
import type { Space } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { text } from '../i18n/text.js'
import { WithTooltip } from '../ui/button.js'
import { Badge } from '../ui/display.js'
import './review.css'

const labelsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'custom-fields'],
    queryFn: ({ signal }) => api.call(listCustomFieldValues, { params: { spaceId }, signal }),
    staleTime: 60_000,
  })

/** Labels beside each other; the others are in the tooltip of the last. */
const most = 2

export function SpaceLabels({ space }: { readonly space: Space }) {
  const hasValues = Object.keys(space.customFields ?? {}).length > 0
  const { data } = useQuery({ ...labelsQuery(space.id), enabled: hasValues })
  const labels = (data ?? []).flatMap(({ customField: { name, title }, value }) =>
    value === undefined || value === '' || value === false
      ? []
      : [{ name: title === '' ? name : title, value: printValue(value) }],
  )
  if (labels.length === 0) return null
  return (
    <span className="space-labels">
      {labels.slice(0, most).map(({ name, value }) => (
        <WithTooltip key={name} label={value === '' ? name : `${name}: ${value}`}>
          <span className="space-label" tabIndex={0}>
            <Badge>{value === '' ? name : value}</Badge>
          </span>
        </WithTooltip>
      ))}
      {labels.length > most && (
        <WithTooltip
          label={labels
            .slice(most)
            .map(({ name, value }) => (value === '' ? name : `${name}: ${value}`))
            .join(', ')}
        >
          <span className="space-label" tabIndex={0}>
            <Badge>{text.review.moreLabels(labels.length - most)}</Badge>
          </span>
        </WithTooltip>
      )}
    </span>
  )
}

/** Of a field that is set or not, its name says all. */
function printValue(value: CustomFieldValue): string {
  if (value === true) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}
