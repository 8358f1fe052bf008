import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { watchAnswers } from "./open-answers.ts"

/** More than the operating system takes from a reader who does not read. */
const long = "x".repeat(32 * 1024 * 1024)

async function start(answer: (response: ServerResponse) => void) {
  const server: Server = createServer((_, response) => answer(response))
  const answers = watchAnswers(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => server.closeAllConnections())
  const address = server.address()
  const port = typeof address === "object" && address ? address.port : 0
  /** Asks, and reads nothing yet. */
  const ask = async (accept = "*/*"): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1")
    onTestFinished(() => void socket.destroy())
    await once(socket, "connect")
    socket.pause()
    socket.write(`GET / HTTP/1.1\r\nhost: here\r\naccept: ${accept}\r\n\r\n`)
    await once(server, "request")
    return socket
  }
  const ended = once(server, "close")
  return { ...answers, server, port, ask, ended }
}

async function textOf(socket: Socket): Promise<string> {
  let text = ""
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk
  })
  socket.resume()
  await once(socket, "close")
  return text
}

it("what is not sent of a complete answer arrives after the stop", async () => {
  const { ask, stopListening, sent, ended } = await start((response) => response.end(long))
  const socket = await ask()
  stopListening()
  const all = sent(60_000)
  expect((await textOf(socket)).length).toBeGreaterThan(long.length)
  await Promise.all([all, ended])
})

it("an unfinished answer is waited for, a stream is not", async () => {
  const responses: ServerResponse[] = []
  const { ask, stopListening, sent, server, ended } = await start((response) => {
    responses.push(response)
    if (responses.length === 2) response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n")
  })
  const [page, stream] = [await ask(), await ask("text/event-stream")]
  stopListening()
  let isSent = false
  const all = sent(60_000).then(() => {
    isSent = true
  })
  const text = textOf(page)
  expect(isSent).toBe(false)
  responses[0]?.end("the page")
  expect(await text).toContain("the page")
  await all
  expect(stream.destroyed).toBe(false)
  server.closeAllConnections()
  await ended
})

it("connections that nobody uses are closed, and new ones refused", async () => {
  const { ask, stopListening, port, ended } = await start((response) => response.end("ok"))
  const socket = await ask()
  socket.resume()
  await once(socket, "data")
  stopListening()
  await once(socket, "close")
  await ended
  const late = connect(port, "127.0.0.1")
  const [error] = await once(late, "error")
  expect(error).toMatchObject({ code: "ECONNREFUSED" })
})

it("a reader who reads nothing is not waited for without end", async () => {
  const { ask, sent, stopListening } = await start((response) => response.end(long))
  await ask()
  stopListening()
  await sent(50)
})
