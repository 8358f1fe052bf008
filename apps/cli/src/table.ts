/** Rows as lines of columns that start below each other. What would move the cursor is left out. */
export function tableLines(rows: string[][]): string[] {
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}+/gu, " ")))
  const widths = (plain[0] ?? []).map((_, column) => Math.max(...plain.map((row) => row[column]?.length ?? 0)))
  return plain.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}
