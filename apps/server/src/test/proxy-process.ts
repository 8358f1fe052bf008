import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { freePort } from "./free-port.ts"
import { makeCertificate } from "./make-certificate.ts"

/** A proxy in front of a service, configured like in `deploy/`, with its own address and certificate. */
export interface ProxyProcess {
  /** Port on 127.0.0.1 that uses TLS. */
  port: number
  /** The certificate that signed its own one, in PEM. */
  ca: string
  stop(): Promise<void>
}

export interface ProxyOptions {
  /** Directory for its files. */
  directory: string
  /** Port of the service on 127.0.0.1. */
  servicePort: number
}

type Kind = "nginx" | "caddy"

const shipped = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url)), "utf8")

/** Whether the program is installed here; otherwise its tests are skipped. */
export function hasProxy(kind: Kind): boolean {
  return spawnSync(kind, [kind === "nginx" ? "-v" : "version"], { stdio: "ignore" }).status === 0
}

/** Starts the real program and waits until it listens. @throws with its output when it ends before */
export async function startProxy(kind: Kind, options: ProxyOptions): Promise<ProxyProcess> {
  const { cert, key } = makeCertificate(options.directory, kind)
  const [port, plainPort] = [await freePort(), await freePort()]
  const args = (kind === "nginx" ? nginxFiles : caddyFiles)({ ...options, cert, key, port, plainPort })
  const env = { PATH: process.env.PATH, HOME: options.directory, XDG_DATA_HOME: options.directory }
  const child = spawn(kind, args, { env, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk
  })
  const ended = once(child, "close")
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!(await isListening(port))) {
    if (isOver) throw new Error(said)
    await sleep(20)
  }
  return {
    port,
    ca: readFileSync(cert, "utf8"),
    async stop() {
      child.kill("SIGTERM")
      await ended
    },
  }
}

interface Files extends ProxyOptions {
  cert: string
  key: string
  port: number
  plainPort: number
}

/** Writes a configuration with the shipped server block inside settings like those of Debian's nginx.conf. */
function nginxFiles({ directory, servicePort, cert, key, port, plainPort }: Files): string[] {
  const server = shipped("nginx.conf")
    // Replaced first, because a chosen port may begin with the digits of the service's port.
    .replace("127.0.0.1:4180", `127.0.0.1:${servicePort}`)
    .replaceAll(/^\s*listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replace(/\S+fullchain\.pem/, cert)
    .replace(/\S+privkey\.pem/, key)
  const file = path.join(directory, "nginx.conf")
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`)
  const http = ["access_log off;", "gzip on;", ...temporary, server].join("\n")
  writeFileSync(file, `daemon off;\nerror_log stderr;\npid nginx.pid;\nevents {}\nhttp {\n${http}\n}\n`)
  return ["-p", directory, "-c", file, "-e", "stderr"]
}

function caddyFiles({ directory, servicePort, cert, key, port, plainPort }: Files): string[] {
  const site = shipped("Caddyfile")
    .replace("127.0.0.1:4180", `127.0.0.1:${servicePort}`)
    .replace("docket.example.org {", `docket.example.org:${port} {\n\ttls ${cert} ${key}`)
  const file = path.join(directory, "Caddyfile")
  mkdirSync(path.join(directory, "caddy"), { recursive: true })
  writeFileSync(file, `{\n\tadmin off\n\thttp_port ${plainPort}\n\tdefault_bind 127.0.0.1\n}\n${site}`)
  return ["run", "--config", file, "--adapter", "caddyfile"]
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("error", () => resolve(false)).on("connect", () => resolve(true))
    socket.on("connect", () => socket.destroy())
  })
}
