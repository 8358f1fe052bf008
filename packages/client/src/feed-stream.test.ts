import { afterAll, beforeAll, expect, it } from "vitest"
import { type LiveService, startLiveService } from "./test/live-service.ts"

let service: LiveService

beforeAll(async () => {
  service = await startLiveService()
  const turn = await service.runtime.session.promptAsync({
    sessionID: service.session.id,
    parts: [{ type: "text", text: "Go." }],
  })
  await service.runtime.session.wait({ turnID: turn.id })
})
afterAll(() => service.close())

/** Reads the feed until `events` events arrived or it ended. `by` is added to the query. */
async function read(query: string, { by = "", events = Infinity, lastEventID = "" } = {}): Promise<string> {
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${service.token}`, ...(lastEventID && { "last-event-id": lastEventID }) }
  const url = `${service.url}/api/trpc/event.subscribe?${query}${by}`
  const { body, headers: answered } = await fetch(url, { headers, signal: stop.signal })
  expect(answered.get("content-type")).toBe("text/event-stream")
  expect(answered.get("cache-control")).toBe("no-cache, no-transform")
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const whole = text.match(/^id: .+\n\n\n/gm) ?? []
    if (whole.length >= events) break
  }
  stop.abort()
  return events === Infinity
    ? text
    : text
        .split("\n\n\n")
        .slice(0, events + 1)
        .join("\n\n\n")
}

const input = (fields: object) => `input=${encodeURIComponent(JSON.stringify(fields))}`
/** This parameter changes nothing, but makes tRPC's own handler answer the call. */
const byTrpc = { by: "&connectionParams=null" }

it("the feed streams the same bytes as tRPC's own handler", async () => {
  const query = input({ rootID: service.session.id, since: 0 })
  const text = await read(query, { events: 5 })
  expect(text).toContain('"type":"message.part.updated"')
  expect(text).toBe(await read(query, { ...byTrpc, events: 5 }))
})

it("the feed resumes after the last event that the reader got", async () => {
  const query = input({ rootID: service.session.id, since: 0 })
  const lastEventID = `${service.session.id}:3`
  const text = await read(query, { events: 2, lastEventID })
  const heard = text.match(/^id: .+/gm)?.map((line) => Number(line.split(":").at(-1)))
  expect(heard?.every((seq) => seq > 3)).toBe(true)
  expect(text).toBe(await read(query, { ...byTrpc, events: 2, lastEventID }))
})

it.each([
  ["there is no such session", input({ rootID: `ses_${"0".repeat(12)}${"A".repeat(14)}` }), "session_not_found"],
  ["the input is not valid", input({ rootID: "ses_" }), "invalid_input"],
  ["the input is not JSON", "input=%7B", '"code":"BAD_REQUEST"'],
])("the feed answers like tRPC when %s", async (_, query, words) => {
  const text = await read(query)
  expect(text).toContain("event: serialized-error\n")
  expect(text).toContain(words)
  expect(text).toBe(await read(query, byTrpc))
})
