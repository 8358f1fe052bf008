import { createHash } from "node:crypto"
import type { Cell } from "./table.ts"

/** The number of rows, and the SHA-256 (hex) of their lines in key order. */
export interface TableSum {
  rows: number
  sha256: string
}

export interface TableDigest {
  add(rows: readonly Cell[][]): void
  sum(): TableSum
}

/** Two tables with the same checksum have the same rows, in any database. */
export function createTableDigest(): TableDigest {
  const hash = createHash("sha256")
  let count = 0
  return {
    add(rows) {
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
      count += rows.length
    },
    sum: () => ({ rows: count, sha256: hash.digest("hex") }),
  }
}

export async function sumOf(rows: AsyncIterable<Cell[][]>): Promise<TableSum> {
  const digest = createTableDigest()
  for await (const batch of rows) digest.add(batch)
  return digest.sum()
}
