import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { createAtOnce } from "./at-once.ts"

/** The answers to this many requests, which one connection sends in one piece, and a function that disconnects. */
async function answersOf(requests: number) {
  const answers: ServerResponse[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const server = createServer((_, res) => {
    answers.push(res)
    if (answers.length === requests) resolve()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.on("error", () => undefined)
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests))
  await all
  const allClosed = Promise.all(answers.map((res) => once(res, "close")))
  return {
    answers,
    async hangUp() {
      client.resetAndDestroy()
      await allClosed
    },
  }
}

it("requests are counted per person until their connection closes", async () => {
  const atOnce = createAtOnce()
  const { answers, hangUp } = await answersOf(3)
  const begin = (res: ServerResponse) => atOnce.begin([["ann", 2]], res)
  expect(answers.map(begin)).toEqual([true, true, false])
  await hangUp()
  expect((await answersOf(3)).answers.map(begin)).toEqual([true, true, false])
})

it("clients that disconnect before identification leave nothing behind", async () => {
  const atOnce = createAtOnce()
  const { answers, hangUp } = await answersOf(40)
  await hangUp()
  for (const res of answers) atOnce.begin([["ann", 2]], res)
  const [next] = (await answersOf(1)).answers
  expect(next && atOnce.begin([["ann", 1]], next)).toBe(true)
})
