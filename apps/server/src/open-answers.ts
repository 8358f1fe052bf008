import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** How often the end of answers is looked for (ms). */
const lookMs = 20

/** The answers that a server is giving. */
export interface OpenAnswers {
  /** Takes no more connections, and closes those that nobody uses. Answers go on. */
  stopListening(): void
  /** Resolves when all answers but event streams have been sent, or after this time (ms). */
  sent(withinMs: number): Promise<void>
}

/**
 * Lets answers be sent before the process ends. `close` of Node's own server drops what has not been sent of an answer
 * that is complete.
 */
export function watchAnswers(server: Server): OpenAnswers {
  const answers = new Map<Socket, Set<ServerResponse>>()
  const streams = new WeakSet<ServerResponse>()
  let isStopping = false
  /** Closes the connection when nothing of an answer is left. */
  const release = (socket: Socket) => {
    if (isStopping && !isSending(socket, answers.get(socket) ?? [])) socket.end()
  }
  server.on("connection", (socket: Socket) => {
    answers.set(socket, new Set())
    socket.once("close", () => answers.delete(socket))
  })
  server.on("request", ({ socket, headers }: IncomingMessage, response: ServerResponse) => {
    // What `writeHead` was given cannot be read back, but whoever wants a stream asks for one.
    if (headers.accept?.includes("text/event-stream")) streams.add(response)
    if (isStopping) response.setHeader("connection", "close")
    const own = answers.get(socket)
    own?.add(response)
    // All of it is with the operating system, or the client is gone.
    response.once("close", () => {
      own?.delete(response)
      release(socket)
    })
  })
  return {
    stopListening() {
      isStopping = true
      NetServer.prototype.close.call(server)
      for (const socket of answers.keys()) release(socket)
    },
    async sent(withinMs) {
      const until = performance.now() + withinMs
      const isBusy = () =>
        [...answers].some(([socket, own]) =>
          isSending(
            socket,
            [...own].filter((response) => !streams.has(response)),
          ),
        )
      while (isBusy() && performance.now() < until) await sleep(lookMs)
    },
  }
}

function isSending(socket: Socket, own: Iterable<ServerResponse>): boolean {
  return socket.writableLength > 0 || [...own].length > 0
}
