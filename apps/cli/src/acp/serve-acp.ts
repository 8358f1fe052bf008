import { Readable, Writable } from "node:stream"
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable"
import type { ServiceOptions } from "../service-options.ts"
import { createAcpAgent } from "./create-acp-agent.ts"
import { createOpenSessions } from "./open-sessions.ts"
import { createServiceOfEditor } from "./service-of-editor.ts"

export interface AcpOptions extends ServiceOptions {
  project?: string
  terminal?: boolean
}

/**
 * Speaks with an editor over stdin and stdout until the editor closes its end, `signal` aborts, or a service that was
 * started for it ends. What the editor has begun on a service that runs anyway goes on there.
 */
export async function serveAcp(options: AcpOptions, signal: AbortSignal): Promise<void> {
  const log = (text: string) => void process.stderr.write(`docket: ${text}\n`)
  const service = createServiceOfEditor(options)
  const sessions = createOpenSessions({ wantsTerminal: options.terminal === true, log })
  const app = createAcpAgent({ service, sessions, project: options.project, directory: process.cwd(), log })
  const connection = app.connect(
    ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  )
  const over = Promise.withResolvers<void>()
  signal.addEventListener("abort", () => over.resolve(), { once: true })
  service.ended.addEventListener("abort", () => over.reject(service.ended.reason), { once: true })
  try {
    await Promise.race([connection.closed, over.promise])
  } finally {
    sessions.leave()
    await service.close()
    connection.close()
  }
}
