/** Control characters and characters that change the text direction. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** Rows as lines with aligned columns. Characters that would confuse a terminal are replaced. */
export function tableLines(rows: string[][]): string[] {
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll(unseen, " ")))
  const widths = (plain[0] ?? []).map((_, column) => Math.max(...plain.map((row) => row[column]?.length ?? 0)))
  return plain.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}
