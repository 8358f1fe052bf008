import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { z } from "zod"
import { anthropicWire } from "./anthropic-wire.ts"
import { chatWire } from "./chat-wire.ts"
import { googleWire } from "./google-wire.ts"
import { checkTexts, Refusal, type Reply, type Wire } from "./reply.ts"
import { responsesWire } from "./responses-wire.ts"

export type Format = "anthropic" | "openai" | "google" | "compatible"
export const formats: Format[] = ["anthropic", "openai", "google", "compatible"]

export interface Asked {
  format: Format
  /** Number of earlier requests, except those for titles. */
  count: number
  body: unknown
}

/** An emulated provider that refuses what the real one refuses. */
export interface StrictProvider extends AsyncDisposable {
  /** The value of `provider` in docket.json: one provider per format, with the model `m` and `others` by their names. */
  config(models?: Partial<Record<Format, object>>, others?: Partial<Record<Format, string[]>>): object
  /** Bodies of the requests so far, except those for titles. */
  requests: Asked[]
  /** Messages of refused requests. */
  refusals: string[]
  /** Resolves when a hanging answer has sent what it has. */
  hanging: Promise<void>
}

const packages: Record<Format, string> = {
  anthropic: "@ai-sdk/anthropic",
  openai: "@ai-sdk/openai",
  google: "@ai-sdk/google",
  compatible: "@ai-sdk/openai-compatible",
}

/** Model names from which the SDKs derive features: reasoning items, signed calls. */
const served: Record<Format, string> = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5",
  google: "gemini-3-pro-preview",
  compatible: "m",
}

const limit = { context: 100_000, output: 8_000 }

/** Implements the wire formats of Anthropic, OpenAI (Responses), Google and OpenAI-compatible servers over HTTP. */
export async function startStrictProvider(script: (asked: Asked) => Reply): Promise<StrictProvider> {
  const wires: Record<Format, Wire> = {
    anthropic: anthropicWire(),
    openai: responsesWire(),
    google: googleWire(),
    compatible: chatWire(),
  }
  const requests: Asked[] = []
  const refusals: string[] = []
  const hanging = Promise.withResolvers<void>()
  const respond = (asked: Asked, response: ServerResponse) => {
    const wire = wires[asked.format]
    try {
      checkTexts(asked.body)
      wire.check(asked.body)
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof z.ZodError)) throw error
      refusals.push(`${asked.format}: ${error.message}`)
      refuse(response, error.message)
      return
    }
    const reply = script(asked)
    send(response, reply, wire.events(reply, asked.body))
    if (reply.hangs) hanging.resolve()
  }
  const server = createServer(async (request, response) => {
    try {
      const format = formatOf(request)
      const body: unknown = JSON.parse(await text(request))
      if (JSON.stringify(body).includes("You name coding sessions")) {
        return send(response, {}, wires[format].events({ text: "A title" }, body))
      }
      const asked = { format, count: requests.length, body }
      requests.push(asked)
      respond(asked, response)
    } catch (error) {
      refusals.push(String(error))
      refuse(response, String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return {
    requests,
    refusals,
    hanging: hanging.promise,
    config: (models = {}, others = {}) =>
      Object.fromEntries(
        formats.map((format) => [
          `strict-${format}`,
          {
            npm: packages[format],
            options: { baseURL: `http://127.0.0.1:${address.port}/${format}`, apiKey: "key" },
            models: {
              m: { id: served[format], limit, ...models[format] },
              ...Object.fromEntries((others[format] ?? []).map((id) => [id, { limit }])),
            },
          },
        ]),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function formatOf({ url = "" }: IncomingMessage): Format {
  const format = formats.find((candidate) => url.startsWith(`/${candidate}/`))
  if (format === undefined) throw new Error(`no provider at ${url}`)
  return format
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { "content-type": "application/json" })
  response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message, code: 400 } }))
}

function send(response: ServerResponse, reply: Reply, { begun, rest }: ReturnType<Wire["events"]>): void {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const write = (event: unknown) => response.write(`data: ${JSON.stringify(event)}\n\n`)
  begun.forEach(write)
  if (reply.breaks) return void setImmediate(() => response.destroy())
  // Without the end, for which the reader waits.
  rest.slice(0, reply.hangs ? -2 : undefined).forEach(write)
  if (!reply.hangs) response.end()
}
