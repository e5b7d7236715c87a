/** Figure: a measured value beside a baseline of the same run, and its target. */

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The baseline of the value, with its name. */
  readonly baseline?: { readonly name: string; readonly value: number; readonly unit: string }
  /** Value to baseline, the way round that the target speaks of. */
  readonly ratio?: number
  readonly target?: Target
}

/** About the value itself or about its ratio to the baseline. */
export interface Target {
  readonly of: 'value' | 'ratio'
  readonly kind: 'at least' | 'at most'
  readonly limit: number
}

/** Answers undefined for a figure without a target. */
export function isMet({ value, ratio, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  const reached = target.of === 'value' ? value : ratio!
  return target.kind === 'at least' ? reached >= target.limit : reached <= target.limit
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The value below which this share of the values lies; the nearest that was measured. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!
}

/** A table of plain text. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, baseline, ratio, target } = figure
    const met = isMet(figure)
    return [
      name,
      `${short(value)} ${unit}`,
      baseline === undefined ? '' : `${short(baseline.value)} ${baseline.unit} (${baseline.name})`,
      ratio === undefined ? '' : short(ratio),
      target === undefined
        ? ''
        : `${target.of === 'ratio' ? 'ratio ' : ''}${target.kind === 'at least' ? '≥' : '≤'} ${target.limit}`,
      met === undefined ? '' : met ? 'met' : 'MISSED',
    ]
  })
  const all = [['figure', 'measured', 'baseline', 'ratio', 'target', ''], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1)].join('\n')
}

function short(value: number): string {
  if (value >= 100) return String(Math.round(value))
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
