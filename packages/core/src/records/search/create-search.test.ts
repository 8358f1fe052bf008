import { expect, test } from "vitest"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

/** A root that delegates once; the child reads a missing file. */
const script: Script = (options) => {
  const prompt = lastUserText(options).split("\n").at(-1) ?? ""
  const isFirst = toolResults(options).length === 0
  if (prompt === "look for the needle") {
    return isFirst ? answer("", { tool: "read", input: { filePath: "needle/missing.ts" } }) : answer("No needle here.")
  }
  if (isFirst) {
    const input = { description: "Needle hunt", prompt: "look for the needle", subagent_type: "general" }
    return answer("I ask.", { tool: "task", input })
  }
  return answer("The needle is nowhere.")
}

async function setUp() {
  const host = await scriptedRuntime(script, {
    config: { permission: "allow", delegation: { envelope: false } },
    titles: false,
  })
  await host.prompt("Find the needle")
  return { host, search: host.runtime.search, rootID: host.session.id }
}

test("finds a turn's stored text at once, with marked excerpts", async () => {
  const { host, search, rootID } = await setUp()
  await using _ = host
  const { hits, next, indexed, problems } = await search.find({ text: "needle" })
  expect({ next, indexed, problems }).toEqual({ next: null, indexed: 1, problems: [] })
  expect(hits.map(({ kind }) => kind).sort()).toEqual(["answer", "answer", "child", "prompt", "prompt", "tool", "tool"])
  expect(hits.every(({ root }) => root.id === rootID)).toBe(true)
  for (const { excerpt } of hits) {
    const [mark] = excerpt.marks
    expect(excerpt.text.slice(mark?.start, mark?.end).toLowerCase()).toBe("needle")
  }
  const [failed] = (await search.find({ text: "tool:read status:failed agent:general file:needle" })).hits
  expect(failed?.part).toMatchObject({ tool: "read", state: "failed" })
  expect(failed?.session.parentID).toBe(rootID)
})

test("finds text by prefix while typing, and own text with by:me", async () => {
  const { host, search } = await setUp()
  await using _ = host
  expect((await search.find({ text: "need" })).hits).toEqual([])
  expect((await search.find({ text: "need", isTyping: true })).hits).toHaveLength(7)
  const mine = await search.find({ text: "by:me kind:prompt" })
  expect(mine.hits.map(({ excerpt }) => excerpt.text)).toEqual(["Find the needle"])
  const other = host.runtime.as({ person: "somebody else", workspace: "local" })
  expect((await other.search.find({ text: "by:me" })).hits).toEqual([])
})

test("finds all rows of a tree in order, from any session", async () => {
  const { host, search, rootID } = await setUp()
  await using _ = host
  const { rows, isMore } = await search.rows(rootID, { text: "needle" })
  const child = rows.find(({ sessionID }) => sessionID !== rootID)?.sessionID ?? ""
  expect(rows.map(({ sessionID }) => sessionID)).toEqual([...Array(3).fill(rootID), ...Array(3).fill(child)])
  expect(isMore).toBe(false)
  expect((await search.rows(child, { text: "needle" })).rows).toEqual(rows)
  await expect(search.rows("ses_missing", { text: "needle" })).rejects.toMatchObject({ code: "session_not_found" })
})

test("does not find undone text until it is redone", async () => {
  const { host, search } = await setUp()
  await using _ = host
  const messages = (await host.messages()).items
  await host.runtime.session.revert(host.session.id, messages[0]?.info.id ?? "")
  expect((await search.find({ text: "needle" })).hits).toEqual([])
  await host.runtime.session.unrevert(host.session.id)
  expect((await search.find({ text: "needle" })).hits).toHaveLength(7)
})
