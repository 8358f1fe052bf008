import { spawn } from "node:child_process"
import type { Server } from "node:net"
import { z } from "zod"
import { createHostProxy } from "./host-proxy.ts"

/** A network of its own with nothing in it but a proxy to allowed hosts. */
export interface NetworkRoom {
  /** A process in it: others enter by its id. */
  pid: number
  /** What programs in it need to find the proxy. */
  env: Record<string, string>
  /** Hosts that were refused since then (epoch ms). */
  refused(since: number): string[]
  isOpen(): boolean
  close(): void
}

export interface NetworkRoomDeps {
  /** Path of bubblewrap. */
  program: string
  clock(): number
}

/** Where the proxy listens in the room. */
const port = 3_128
/** Refused hosts that are remembered. */
const maxRefused = 100
/** ms */
const openTimeout = 10_000

/**
 * Runs in the room: the socket that it listens on is handed to the service, which then answers on it from outside. What
 * follows it only holds the room open.
 */
const listen = `
const server = require("node:net").createServer({ pauseOnConnect: true })
server.listen(${port}, "127.0.0.1", () => process.send({ pid: process.ppid }, server, () => process.disconnect()))
process.once("disconnect", () => process.exit())`

const Opened = z.object({ pid: z.int().positive() })

/** Opens a room. @throws Error when it cannot be made */
export async function openNetworkRoom(hosts: readonly string[], deps: NetworkRoomDeps): Promise<NetworkRoom> {
  const refused = new Map<string, number>()
  const proxy = createHostProxy({
    allowed: hosts,
    onRefused(host) {
      refused.delete(host)
      refused.set(host, deps.clock())
      const [oldest] = refused.keys()
      if (refused.size > maxRefused && oldest !== undefined) refused.delete(oldest)
    },
  })
  const inside = ["sh", "-c", '"$0" -e "$1"; unset NODE_CHANNEL_FD; exec sleep infinity', process.execPath, listen]
  const child = spawn(
    deps.program,
    ["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "--die-with-parent", "--", ...inside],
    // Where Next's types are present, ProcessEnv demands NODE_ENV; the room needs none.
    { stdio: ["ignore", "ignore", "ignore", "ipc"], env: { PATH: "/usr/bin:/bin" } as unknown as NodeJS.ProcessEnv },
  )
  let isOpen = true
  child.once("exit", () => {
    isOpen = false
  })
  const close = () => {
    isOpen = false
    proxy.close()
    child.kill("SIGKILL")
  }
  try {
    const { pid, listener } = await opened(child)
    proxy.serve(listener)
    child.once("exit", () => listener.close())
    return {
      pid,
      env: proxyVariables(`http://127.0.0.1:${port}`),
      refused: (since) => [...refused].flatMap(([host, at]) => (at >= since ? [host] : [])),
      isOpen: () => isOpen,
      close() {
        listener.close()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

function opened(child: ReturnType<typeof spawn>): Promise<{ pid: number; listener: Server }> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("The network of the sandbox could not be made."))
    const timer = setTimeout(fail, openTimeout)
    child.once("error", fail)
    child.once("exit", fail)
    child.once("message", (message, handle) => {
      clearTimeout(timer)
      const read = Opened.safeParse(message)
      // A server is what the script in the room sends.
      if (read.success && handle !== undefined) resolve({ pid: read.data.pid, listener: handle as Server })
      else fail()
    })
  })
}

/** As curl, git, npm, pip, cargo and Node's fetch read them. */
function proxyVariables(url: string): Record<string, string> {
  const own = "localhost,127.0.0.1,::1"
  const names = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: own }
  const small = Object.entries(names).map(([name, value]) => [name.toLowerCase(), value])
  return { ...names, ...Object.fromEntries(small), NODE_USE_ENV_PROXY: "1" }
}
