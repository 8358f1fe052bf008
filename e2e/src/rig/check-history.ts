import { isDeepStrictEqual } from "node:util"
import type { Accepted, Fold, History, Seen, Stored } from "./history.ts"

/** What is wrong with a history, in words; empty when it is what one process would have done. */
export function checkHistory(history: History): string[] {
  const { accepted, seen, folds, stored, executed } = history
  const inOrder = stored.toSorted((one, other) => one.n - other.n)
  return [
    ...folds.flatMap((fold) => sequenceFaults(fold, seen, inOrder)),
    ...contentFaults(seen),
    ...folds.flatMap(foldFaults),
    ...staleWrites(inOrder),
    ...promptFaults(accepted, inOrder),
    ...orderFaults(accepted, inOrder),
    ...repeatedCalls(executed),
  ]
}

/** A reader is told each number once, in order, and of the last state of every row. */
function sequenceFaults({ reader, root, since }: Fold, seen: readonly Seen[], stored: readonly Stored[]): string[] {
  const faults: string[] = []
  const told = new Set<number>()
  let last = since
  for (const { seq, node } of seen.filter((each) => each.reader === reader && each.root === root)) {
    if (seq <= last) faults.push(`${reader} was told ${seq} after ${last}, by ${node}, in ${root}`)
    last = Math.max(last, seq)
    told.add(seq)
  }
  const rows = stored.filter((row) => row.root === root)
  const final = new Map(rows.map((row) => [`${row.table} ${row.id}`, row.seq]))
  for (const [row, seq] of final)
    if (seq > since && !told.has(seq)) faults.push(`${reader} was never told ${seq} (${row}) in ${root}`)
  const written = new Set(rows.map(({ seq }) => seq))
  for (const seq of told) if (!written.has(seq)) faults.push(`${reader} was told ${seq} in ${root}, which nobody wrote`)
  return faults
}

/** All readers are told the same under one number. */
function contentFaults(seen: readonly Seen[]): string[] {
  const contents = Map.groupBy(seen, ({ root, seq, type }) => `${seq} (${type}) in ${root}`)
  return [...contents].flatMap(([what, all]) =>
    new Set(all.map(({ hash }) => hash)).size === 1 ? [] : [`readers were told different things as ${what}`],
  )
}

/** What a reader made of the events is what the rows say. */
function foldFaults({ reader, root, folded, snapshot }: Fold): string[] {
  if (isDeepStrictEqual(folded, snapshot)) return []
  return [`${reader} holds something else than the rows of ${root}: ${difference(folded, snapshot)}`]
}

/** The first place at which two values differ. */
function difference(one: unknown, other: unknown, place = ""): string {
  if (!isRecord(one) || !isRecord(other)) return `${place}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  const key = [...keys].find((each) => !isDeepStrictEqual(one[each], other[each])) ?? ""
  return difference(one[key], other[key], `${place}/${key}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}

/**
 * Who raised the epoch of a session's turn last is the only one who writes its messages and parts. A takeover writes these
 * in the transaction that raises it.
 */
function staleWrites(stored: readonly Stored[]): string[] {
  const faults: string[] = []
  const holders = new Map<string, string>()
  const epochs = new Map<string, number>()
  for (const rows of Map.groupBy(stored, ({ transaction }) => transaction).values()) {
    for (const { table, id, session, host, epoch, n } of rows) {
      if (table !== "Turn" || epoch === null) continue
      const known = epochs.get(id) ?? 0
      if (epoch > known) holders.set(session, host)
      if (epoch < known) faults.push(`${host} wrote epoch ${epoch} of ${id} after ${known} (${n})`)
      epochs.set(id, Math.max(epoch, known))
    }
    for (const { table, id, session, host, n } of rows) {
      const holder = holders.get(session)
      if ((table === "Message" || table === "Part") && holder !== host)
        faults.push(`${host} wrote ${table} ${id} of ${session}, which ${holder ?? "nobody"} works on (${n})`)
    }
  }
  return faults
}

/** Each accepted prompt has one turn, and that has ended. */
function promptFaults(accepted: readonly Accepted[], stored: readonly Stored[]): string[] {
  const turns = turnsByPrompt(stored)
  const ends = new Map(stored.filter(({ table }) => table === "Turn").map(({ id, status }) => [id, status]))
  return accepted.flatMap(({ session, text }) => {
    const ids = new Set(turns.get(`${session} ${text}`)?.map(({ id }) => id))
    if (ids.size !== 1) return [`"${text}" has ${ids.size} turns in ${session}`]
    const [id = ""] = ids
    const status = ends.get(id)
    return status === "queued" || status === "running" ? [`"${text}" is still ${status} in ${session}`] : []
  })
}

/** The prompts of a session begin in the order in which they were accepted. */
function orderFaults(accepted: readonly Accepted[], stored: readonly Stored[]): string[] {
  const begun = turnsByPrompt(stored.filter(({ status }) => status === "running"))
  return [...Map.groupBy(accepted, ({ session }) => session)].flatMap(([session, prompts]) => {
    const starts = prompts.flatMap(({ text }) => {
      const [first] = begun.get(`${session} ${text}`) ?? []
      return first ? [{ text, n: first.n }] : []
    })
    return starts.flatMap(({ text, n }, at) => {
      const before = starts[at - 1]
      return before && before.n > n ? [`"${text}" began before "${before.text}" in ${session}`] : []
    })
  })
}

function turnsByPrompt(stored: readonly Stored[]): Map<string, Stored[]> {
  return Map.groupBy(
    stored.filter(({ table }) => table === "Turn"),
    ({ session, prompt }) => `${session} ${prompt}`,
  )
}

/** A call whose outcome is unknown is not executed again. */
function repeatedCalls(executed: readonly string[]): string[] {
  return [...Map.groupBy(executed, (mark) => mark)].flatMap(([mark, times]) =>
    times.length > 1 ? [`the call ${mark} was executed ${times.length} times`] : [],
  )
}
