import { readFileSync } from "node:fs"
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import type { Duplex, Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { DockerConfig } from "@docket/core/sandbox-config"
import { EngineProblem, problemOfConnection } from "./engine-problem.ts"

export interface EngineAnswer {
  status: number
  /** The JSON of the answer; null when it has none. */
  body: unknown
}

/** The output of a program, and what its input is held open by. */
export interface EngineLink {
  output: Readable
  /** Ends the connection: a program that reads from it sees its end. */
  close(): void
}

/** The HTTP API of a container engine. */
export interface Engine {
  /** As people named it. */
  address: string
  /** @throws EngineProblem when it cannot be reached or does not answer in time */
  call(method: "GET" | "POST" | "DELETE", path: string, options?: CallOptions): Promise<EngineAnswer>
  /** Asks for a connection that carries what a program writes. @throws EngineProblem also when it is refused */
  attach(path: string, body?: unknown): Promise<EngineLink>
}

interface CallOptions {
  body?: unknown
  /** ms; default 30 s */
  timeout?: number
}

export const usualAddress = "unix:///var/run/docker.sock"

/** The oldest version of the API that has all that is asked: Docker 20.10, Podman 4. */
export const apiVersion = "1.41"

/** ms. An engine on a busy disk takes seconds to make a container. */
const usualTimeout = 30_000

/** Speaks with an engine. Each call has a connection of its own, so one that hangs holds up no other. */
export function createEngine({ host: address = usualAddress, tls }: Pick<DockerConfig, "host" | "tls">): Engine {
  const send = (method: string, path: string, { body, headers }: { body?: unknown; headers?: object }) => {
    const json = body === undefined ? "" : JSON.stringify(body)
    const options: RequestOptions = {
      method,
      path: `/v${apiVersion}${path}`,
      agent: false,
      headers: {
        host: "docker",
        "content-length": Buffer.byteLength(json),
        ...(json !== "" && { "content-type": "application/json" }),
        ...headers,
      },
      ...whereTo(address),
    }
    const sent = tls === undefined ? requestHttp(options) : requestHttps({ ...options, ...filesOf(tls) })
    sent.end(json)
    return sent
  }
  return {
    address,
    call: (method, path, { body, timeout = usualTimeout } = {}) =>
      within(timeout, address, (resolve, reject) => {
        const sent = send(method, path, { body, headers: { connection: "close" } })
        sent.once("error", reject)
        sent.once("response", (answer) => read(answer).then(resolve, reject))
        return () => sent.destroy()
      }),
    attach: (path, body) =>
      within<EngineLink>(usualTimeout, address, (resolve, reject) => {
        const sent = send("POST", path, { body, headers: { connection: "Upgrade", upgrade: "tcp" } })
        sent.once("error", reject)
        sent.once("upgrade", (_answer, socket: Duplex, head: Buffer) => {
          if (head.length > 0) socket.unshift(head)
          resolve(linkOf(socket, socket))
        })
        sent.once("response", (answer) => {
          // An older engine, or a proxy before it, answers without changing the protocol.
          if (answer.statusCode === 200) resolve(linkOf(answer, answer.socket))
          else read(answer).then((refused) => reject(problemOfRefusal(refused)), reject)
        })
        return () => sent.destroy()
      }),
  }
}

function linkOf(output: Readable, socket: Duplex): EngineLink {
  // A connection that breaks ends the output; who reads it asks the engine what became of the program.
  for (const stream of new Set([output, socket])) stream.on("error", () => {})
  return { output, close: () => socket.destroy() }
}

/** What an engine said when it refused: its message, as it is. */
export function problemOfRefusal({ status, body }: EngineAnswer): EngineProblem {
  const said =
    typeof body === "object" && body !== null && "message" in body ? String(body.message) : `status ${status}`
  return new EngineProblem(said.trim(), { status })
}

async function read(answer: IncomingMessage): Promise<EngineAnswer> {
  const said = await text(answer)
  return { status: answer.statusCode ?? 0, body: parsed(said) }
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return said === "" ? null : { message: said }
  }
}

function whereTo(address: string): RequestOptions {
  if (address.startsWith("unix://")) return { socketPath: address.slice("unix://".length) }
  const { hostname, port } = new URL(address)
  return { host: hostname.replace(/^\[|\]$/g, ""), port }
}

function filesOf({ ca, cert, key }: NonNullable<DockerConfig["tls"]>) {
  if (ca === undefined || cert === undefined || key === undefined) {
    throw new EngineProblem('"sandbox.docker.tls" has to name three files: "ca", "cert" and "key".')
  }
  try {
    return { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new EngineProblem(`A file that "sandbox.docker.tls" names cannot be read (${why}).`)
  }
}

/** @param start resolves or rejects; what it returns gives up */
function within<T>(
  ms: number,
  address: string,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(error instanceof EngineProblem ? error : problemOfConnection(error, address))
    const timer = setTimeout(() => {
      reject(
        new EngineProblem(
          `The container engine at ${address} did not answer in ${ms / 1_000} s. See whether it is stuck or its disk is slow, and try again.`,
        ),
      )
      giveUp()
    }, ms)
    const done = (value: T) => {
      clearTimeout(timer)
      resolve(value)
    }
    const failed = (error: unknown) => {
      clearTimeout(timer)
      fail(error)
    }
    let giveUp = () => {}
    try {
      giveUp = start(done, failed)
    } catch (error) {
      failed(error)
    }
  })
}
