/** Dates and numbers in the language of the app. */
const language = 'en'
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
const weekday = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })

const units = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 14],
] as const

/** Returns "2 hours ago" for the last two weeks, the date for what is older. */
export function formatRelativeTime(date: string, now = Date.now()): string {
  const age = Math.max(0, now - Date.parse(date))
  if (age < 45_000) return relative.format(0, 'second')
  for (const [unit, length, most] of units) {
    const count = Math.max(1, Math.round(age / length))
    if (count < most) return relative.format(-count, unit)
  }
  return day.format(Date.parse(date))
}

export const formatExactTime = (date: string): string => exact.format(Date.parse(date))

/** Returns the day of a date, such as "Friday, 27 November 2026". */
export const formatDay = (date: string): string => weekday.format(Date.parse(date))
