import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import path from "node:path"
import type { Duplex } from "node:stream"
import { json } from "node:stream/consumers"
import { z } from "zod"

const Body = z.looseObject({
  Image: z.string(),
  Labels: z.record(z.string(), z.string()),
  Entrypoint: z.array(z.string()),
  Cmd: z.array(z.string()),
  HostConfig: z.looseObject({
    Mounts: z.array(
      z.looseObject({
        Type: z.enum(["bind", "tmpfs"]),
        Source: z.string().optional(),
        Target: z.string(),
        ReadOnly: z.boolean().optional(),
      }),
    ),
    Tmpfs: z.record(z.string(), z.string()),
  }),
})
export type Body = z.infer<typeof Body>
const ExecBody = z.object({ Cmd: z.array(z.string()), Env: z.array(z.string()), WorkingDir: z.string().optional() })

interface Container {
  id: string
  body: Body
  /** Its input, until it has started. */
  hold: Duplex | null
  main: ChildProcess | null
  /** The process of bubblewrap in it. */
  inner: number
}

interface Exec {
  body: z.infer<typeof ExecBody>
  container: Container
  child: ChildProcess | null
  exit: number | null
}

export interface EngineStandIn {
  address: string
  image: string
  /** The bodies of containers that were asked for. */
  created: Body[]
  /** The ids of containers that exist. */
  containers(): string[]
  /** Answers requests of this form from now on with a refusal; null lifts it. */
  refuse(refusal: { path: RegExp; status: number; message: string } | null): void
  /** Adds a container that nobody holds; returns its id. */
  leave(body: Body): string
  /** Breaks all connections off, as when their client dies. */
  loseClients(): void
  /** Is seen through from now on: what it does not filter fails the self-test. */
  weaken(): void
  /** Breaks all connections off and answers none. */
  stop(): Promise<void>
}

/**
 * Answers as the API of a container engine does, with bubblewrap in place of containers: programs in one see the mounts that it
 * was asked for, and only each other. It filters no calls of the kernel, so it passes that part of a self-test for them.
 */
export async function startEngineStandIn(directory: string): Promise<EngineStandIn> {
  const socketPath = path.join(directory, "engine.sock")
  const image = "stand-in:1"
  const containers = new Map<string, Container>()
  const execs = new Map<string, Exec>()
  const created: Body[] = []
  const sockets = new Set<Duplex>()
  let isWeak = false
  let refused: Parameters<EngineStandIn["refuse"]>[0] = null

  async function answer(incoming: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    const url = (incoming.url ?? "").replace(/^\/v1\.41/, "")
    const at = `${incoming.method} ${url}`
    if (refused?.path.test(at)) return { status: refused.status, body: { message: refused.message } }
    if (at === "GET /version") return { status: 200, body: { ApiVersion: "1.41", Version: "20.10" } }
    if (at === "GET /info") return { status: 200, body: { SecurityOptions: ["name=seccomp,profile=default"] } }
    if (at === `GET /images/${image}/json`) return { status: 200, body: {} }
    if (at.startsWith("GET /images/")) return { status: 404, body: { message: "No such image" } }
    if (at.startsWith("GET /containers/json")) {
      const { searchParams } = new URL(url, "http://engine")
      const [label = ""] = z
        .object({ label: z.array(z.string()) })
        .parse(JSON.parse(searchParams.get("filters") ?? "")).label
      const [name = "", value] = label.split("=")
      const found = [...containers.values()].filter(({ body }) => body.Labels[name] === value)
      return { status: 200, body: found.map(({ id }) => ({ Id: id })) }
    }
    if (at.startsWith("POST /containers/create")) {
      const body = Body.parse(await json(incoming))
      const id = randomUUID()
      created.push(body)
      containers.set(id, { id, body, hold: null, main: null, inner: 0 })
      return { status: 201, body: { Id: id } }
    }
    const exec = /^GET \/exec\/([\w-]+)\/json$/.exec(at)?.[1]
    if (exec !== undefined) {
      const found = execs.get(exec)
      if (found === undefined || !containers.has(found.container.id)) return { status: 404, body: { message: "gone" } }
      return { status: 200, body: { Running: found.exit === null, ExitCode: found.exit } }
    }
    const [, id = "", act = ""] = /^\w+ \/containers\/([\w-]+)\/?(\w*)/.exec(at) ?? []
    const container = containers.get(id)
    if (container === undefined) return { status: 404, body: { message: `No such container: ${id}` } }
    if (at.startsWith("DELETE")) {
      end(container)
      return { status: 204 }
    }
    if (act === "start") return start(container)
    if (act === "top") return { status: 200, body: { Processes: processesIn(container).map((pid) => [pid]) } }
    if (act === "exec") {
      const body = ExecBody.parse(await json(incoming))
      const made = randomUUID()
      execs.set(made, { body, container, child: null, exit: null })
      return { status: 201, body: { Id: made } }
    }
    return { status: 404, body: { message: "page not found" } }
  }

  async function start(container: Container): Promise<{ status: number }> {
    const { Entrypoint, Cmd, HostConfig } = container.body
    const mounts = [
      ...Object.keys(HostConfig.Tmpfs).map((at) => ({
        Type: "tmpfs" as const,
        Target: at,
        Source: "",
        ReadOnly: false,
      })),
      ...HostConfig.Mounts,
    ].sort((a, b) => a.Target.split("/").length - b.Target.split("/").length)
    const main = spawn(
      "bwrap",
      [
        ..."--unshare-user --unshare-pid --unshare-net --unshare-ipc --die-with-parent --info-fd 3".split(" "),
        ...["/usr", "/etc"].flatMap((at) => ["--ro-bind", at, at]),
        ...["bin", "lib", "lib64", "sbin"].flatMap((at) => ["--symlink", `usr/${at}`, `/${at}`]),
        ...["--proc", "/proc", "--dev", "/dev"],
        ...mounts.flatMap(mountArguments),
        ...["--remount-ro", "/", "--", ...Entrypoint, ...Cmd],
      ],
      { stdio: ["pipe", "ignore", "pipe", "pipe"] },
    )
    container.main = main
    let problem = ""
    main.stderr?.on("data", (text) => {
      problem += text
    })
    main.once("exit", () => end(container))
    // bubblewrap closes it when all is said.
    const info = await json(main.stdio[3] as NodeJS.ReadableStream)
    container.inner = z.object({ "child-pid": z.number() }).parse(info)["child-pid"]
    if (container.hold !== null && main.stdin !== null) container.hold.pipe(main.stdin)
    // A client that is killed does not end its stream.
    container.hold?.once("close", () => main.stdin?.end())
    main.stdin?.on("error", () => {})
    // The mounts are made when the program of its own runs.
    while (processesIn(container).length < 2) {
      if (main.exitCode !== null) throw new Error(problem)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { status: 204 }
  }

  function end(container: Container): void {
    containers.delete(container.id)
    container.main?.kill("SIGKILL")
    container.hold?.destroy()
  }

  function run(exec: Exec, socket: Duplex): void {
    const { container, body } = exec
    const space = (pid: number | "self") => readlinkSync(`/proc/${pid}/ns/pid`)
    // Commands signal all processes that they see: these must never be those of this machine.
    if (space(container.inner) === space("self")) throw new Error("This container has no processes of its own.")
    const enter = `--user --mount --pid --net --preserve-credentials --target ${container.inner} --`.split(" ")
    const drop = "setpriv --bounding-set=-all --inh-caps=-all --no-new-privs --".split(" ")
    const command = isWeak ? body.Cmd : body.Cmd.map((word) => word.replace("^Seccomp:[[:space:]]*2$", "^Seccomp:"))
    const inside = ["sh", "-c", 'cd "$0" && exec "$@"', body.WorkingDir ?? "/", ...drop, ...command]
    const env = Object.fromEntries(body.Env.map((entry) => entry.split(/=(.*)/s).slice(0, 2)))
    const child = spawn("nsenter", [...enter, ...inside], {
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", ...env } as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    })
    exec.child = child
    for (const [stream, output] of [
      [1, child.stdout],
      [2, child.stderr],
    ] as const) {
      output.on("data", (chunk: Buffer) => {
        const head = Buffer.alloc(8)
        head[0] = stream
        head.writeUInt32BE(chunk.length, 4)
        // Two writes: a frame comes in pieces.
        socket.write(head)
        if (!socket.write(chunk)) {
          output.pause()
          socket.once("drain", () => output.resume())
        }
      })
    }
    child.once("exit", (code, signal) => {
      exec.exit = code ?? 128 + (signal === "SIGKILL" ? 9 : 15)
    })
    child.once("close", () => socket.end())
  }

  const server = createServer((incoming, response) => {
    answer(incoming).then(
      ({ status, body }) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? null)),
      (error: unknown) => response.writeHead(500).end(JSON.stringify({ message: String(error) })),
    )
  })
  server.on("connection", (socket: Duplex) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
  })
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => {
    const url = (incoming.url ?? "").replace(/^\/v1\.41/, "")
    const [, kind, id = ""] = /^\/(containers|exec)\/([\w-]+)/.exec(url) ?? []
    const exec = kind === "exec" ? execs.get(id) : undefined
    const container = kind === "containers" ? containers.get(id) : exec?.container
    if (container === undefined || (exec !== undefined && !containers.has(container.id))) {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 18\r\n\r\n{"message":"gone"}')
      return
    }
    socket.write("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
    if (exec === undefined) container.hold = socket
    else run(exec, socket)
  })
  server.listen(socketPath)
  await once(server, "listening")
  return {
    ...{ address: `unix://${socketPath}`, image, created },
    containers: () => [...containers.keys()],
    refuse(refusal) {
      refused = refusal
    },
    leave(body) {
      const id = randomUUID()
      containers.set(id, { id, body, hold: null, main: null, inner: 0 })
      return id
    },
    loseClients() {
      for (const socket of sockets) socket.destroy()
    },
    weaken() {
      isWeak = true
    },
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      for (const container of [...containers.values()]) end(container)
    },
  }
}

function mountArguments({ Type, Source = "", Target, ReadOnly }: Body["HostConfig"]["Mounts"][number]): string[] {
  if (Type === "bind") return [ReadOnly === true ? "--ro-bind" : "--bind", Source, Target]
  return ReadOnly === true ? ["--perms", "0555", "--tmpfs", Target, "--remount-ro", Target] : ["--tmpfs", Target]
}

/** The processes that run in a container, in ids of this machine. */
function processesIn({ inner }: Container): number[] {
  const spaceOf = (pid: number) => {
    try {
      return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")) ? null : readlinkSync(`/proc/${pid}/ns/pid`)
    } catch {
      return null
    }
  }
  const space = spaceOf(inner)
  if (space === null) return []
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((pid) => spaceOf(pid) === space)
}
