import { QueryClient } from "@tanstack/react-query"
import { expect, it } from "vitest"
import { showAhead, takeBack } from "./show-ahead.ts"

const key = ["overview"]
const add = (verdict: string) => (verdicts: string[]) => [...verdicts, verdict]

function clientWith(verdicts: string[]) {
  const client = new QueryClient()
  client.setQueryData(key, verdicts)
  return client
}

it("a refused change is taken back, also when the reload fails", async () => {
  const client = clientWith(["bo: approve"])
  const ahead = await showAhead(client, key, add("ann: reject"))
  expect(client.getQueryData(key)).toEqual(["bo: approve", "ann: reject"])
  takeBack(client, key, ahead)
  expect(client.getQueryData(key)).toEqual(["bo: approve"])
})

it("what others said meanwhile stays when a verdict is taken back", async () => {
  const client = clientWith([])
  const ahead = await showAhead(client, key, add("ann: reject"))
  client.setQueryData(key, ["bo: approve"])
  takeBack(client, key, ahead)
  expect(client.getQueryData(key)).toEqual(["bo: approve"])
})

it("showAhead changes nothing before the first read", async () => {
  const client = new QueryClient()
  takeBack(client, key, await showAhead(client, key, add("ann: reject")))
  expect(client.getQueryData(key)).toBeUndefined()
})
