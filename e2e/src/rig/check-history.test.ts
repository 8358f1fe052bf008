import { expect, test } from "vitest"
import { checkHistory } from "./check-history.ts"
import type { History, Seen, Stored } from "./history.ts"

const root = "ses_1"

/** Two prompts: one worker begins the first, another one takes it over and goes on. Two readers see all of it. */
function soundHistory(): History {
  const rows: Partial<Stored>[] = [
    { table: "Turn", id: "trn_1", host: "web", status: "queued", epoch: 0, prompt: "first" },
    { table: "Turn", id: "trn_2", host: "web", status: "queued", epoch: 0, prompt: "second" },
    { table: "Turn", id: "trn_1", host: "one", status: "running", epoch: 1, prompt: "first" },
    { table: "Message", id: "msg_1", host: "one" },
    { table: "Part", id: "prt_1", host: "one" },
    { table: "Part", id: "prt_1", host: "two", transaction: "takeover" },
    { table: "Turn", id: "trn_1", host: "two", status: "queued", epoch: 2, prompt: "first", transaction: "takeover" },
    { table: "Turn", id: "trn_1", host: "two", status: "running", epoch: 3, prompt: "first" },
    { table: "Part", id: "prt_2", host: "two" },
    { table: "Turn", id: "trn_1", host: "two", status: "completed", epoch: 3, prompt: "first" },
    { table: "Turn", id: "trn_2", host: "two", status: "running", epoch: 1, prompt: "second" },
    { table: "Part", id: "prt_3", host: "two" },
    { table: "Turn", id: "trn_2", host: "two", status: "completed", epoch: 1, prompt: "second" },
  ]
  const stored = rows.map((row, at): Stored => {
    const n = at + 1
    const usual = { n, transaction: `${n}`, at: n, host: "", table: "", id: "", root, session: root, seq: n }
    return { ...usual, status: null, epoch: null, prompt: null, ...row }
  })
  const seenBy = (reader: string) =>
    stored.map(({ seq, table, id }): Seen => {
      return { reader, node: "web1", root, seq, type: table, hash: `${table} ${id}`, at: seq }
    })
  const foldOf = (reader: string) => ({ reader, root, since: 0, folded: { a: [1, 2] }, snapshot: { a: [1, 2] } })
  return {
    accepted: ["first", "second"].map((text) => ({ session: root, text, at: 0 })),
    seen: [...seenBy("Ada"), ...seenBy("Bob")],
    folds: [foldOf("Ada"), foldOf("Bob")],
    stored,
    executed: ["one", "two"],
  }
}

const bySeq = (seq: number) => (each: { seq: number }) => each.seq === seq

test("a history with a takeover is sound", () => {
  expect(checkHistory(soundHistory())).toEqual([])
})

test("what a row was in between need not be told", () => {
  const history = soundHistory()
  history.seen = history.seen.filter(({ seq }) => seq !== 5)
  expect(checkHistory(history)).toEqual([])
})

const planted: [string, (history: History) => void, RegExp][] = [
  ["a skipped number", (it) => it.seen.splice(it.seen.findIndex(bySeq(9)), 1), /^Ada was never told 9 \(Part prt_2\)/],
  ["a number told twice", (it) => it.seen.splice(4, 0, ...it.seen.slice(3, 4)), /^Ada was told 4 after 4, by web1/],
  [
    "numbers told out of order",
    (it) => it.seen.splice(3, 2, ...it.seen.slice(3, 5).reverse()),
    /^Ada was told 4 after 5/,
  ],
  [
    "a number that nobody wrote",
    (it) => it.seen.push({ ...it.seen[0], seq: 99 } as Seen),
    /99 in ses_1, which nobody wrote/,
  ],
  [
    "two contents of one number",
    (it) => change(it.seen, 8, { hash: "other" }),
    /^readers were told different things as 9/,
  ],
  [
    "a reader that holds something else",
    (it) => change(it.folds, 1, { folded: { a: [1, 3] } }),
    /^Bob holds .*\/a\/1: 3 and 2$/,
  ],
  [
    "a write of the old worker",
    (it) => change(it.stored, 8, { host: "one" }),
    /^one wrote Part prt_2 of ses_1, which two works on/,
  ],
  ["an epoch that goes back", (it) => change(it.stored, 9, { epoch: 2 }), /wrote epoch 2 of trn_1 after 3/],
  ["a lost prompt", (it) => it.accepted.push({ session: root, text: "third", at: 0 }), /^"third" has 0 turns/],
  [
    "a doubled prompt",
    (it) => it.stored.push({ ...it.stored[1], n: 14, id: "trn_3" } as Stored),
    /^"second" has 2 turns/,
  ],
  ["a prompt that is left waiting", (it) => change(it.stored, 12, { status: "queued" }), /^"second" is still queued/],
  ["swapped prompts", (it) => it.accepted.reverse(), /^"first" began before "second"/],
  ["a doubled call", (it) => it.executed.push("two"), /^the call two was executed 2 times$/],
]

test.each(planted)("%s is found", (_what, plant, fault) => {
  const history = soundHistory()
  plant(history)
  expect(checkHistory(history)).toContainEqual(expect.stringMatching(fault))
})

function change<T>(list: T[], at: number, to: Partial<T>): void {
  list[at] = { ...list[at], ...to } as T
}
