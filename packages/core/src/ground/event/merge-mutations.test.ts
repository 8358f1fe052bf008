import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { turn } from "../../contract/rows.ts"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import { noUsage } from "../message/usage.ts"
import type { TextPart, Turn } from "../schema/index.ts"
import type { Mutation } from "../store/index.ts"
import { mergeMutations } from "./merge-mutations.ts"

const createID = createIdSource()
const session = newSession(createID)
const message = newUserMessage(createID, session.id)
const parts = [1, 2, 3].map(() => newTextPart(createID, message, ""))

test("a merged turn asks for a job when the earlier one did", () => {
  const value = turn(session)
  const ended: Turn = { ...value, status: "aborted" }
  const merged = (...jobs: (true | undefined)[]) =>
    mergeMutations(jobs.map((job, n) => ({ kind: "turn", value: n === 0 ? value : ended, ...(job && { job }) })))
  expect(merged(true, undefined)).toEqual([{ kind: "turn", value: ended, job: true }])
  expect(merged(undefined, true)).toEqual([{ kind: "turn", value: ended, job: true }])
  expect(merged(undefined, undefined)).toEqual([{ kind: "turn", value: ended }])
})

const partMutation = fc
  .tuple(fc.constantFrom(...parts), fc.string({ maxLength: 3 }), fc.boolean())
  .map(([part, text, quiet]): Mutation => ({ kind: "part", value: { ...part, text }, ...(quiet && { quiet }) }))
const patch = fc
  .record({ title: fc.string({ maxLength: 3 }), agent: fc.string({ maxLength: 3 }) }, { requiredKeys: [] })
  .map((change): Mutation => ({ kind: "session.patch", sessionID: session.id, patch: change }))
const used = fc
  .nat(1_000)
  .map((cost): Mutation => ({ kind: "session.used", sessionID: session.id, used: { ...noUsage, cost } }))
const removal = fc
  .constantFrom(...parts)
  .map((part): Mutation => ({ kind: "part.remove", sessionID: session.id, messageID: message.id, partID: part.id }))

/** What rows hold after the mutations, and which parts readers were told of. */
function applied(mutations: Mutation[]) {
  const rows = new Map<string, TextPart>()
  const told = new Set<string>()
  let root: object = {}
  let cost = 0
  for (const mutation of mutations) {
    if (mutation.kind === "part" && mutation.value.type === "text") {
      rows.set(mutation.value.id, mutation.value)
      if (!mutation.quiet) told.add(mutation.value.id)
    }
    if (mutation.kind === "part.remove") {
      rows.delete(mutation.partID)
      told.add(mutation.partID)
    }
    if (mutation.kind === "session.used") cost += mutation.used.cost
    if (mutation.kind === "session.patch") root = { ...root, ...mutation.patch }
  }
  return { rows: Object.fromEntries(rows), told, root, cost }
}

test("merging changes neither the rows nor who hears of them", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(partMutation, patch, used, removal), { maxLength: 30 }), (mutations) => {
      const merged = mergeMutations(mutations)
      expect(applied(merged)).toEqual(applied(mutations))
      expect(merged.length).toBeLessThanOrEqual(mutations.length)
    }),
    drawn(),
  )
})
