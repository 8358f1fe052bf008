import { createServer, type Server } from "node:http"
import { createServer as createSecureServer, type Server as SecureServer } from "node:https"
import { DocketError } from "@docket/core"
import { nodeTimers } from "@docket/core/timers"
import { ownHosts } from "../listen.ts"
import type { ReachOptions, ServiceOptions, TlsFiles } from "../options.ts"
import { isLoopback } from "./is-loopback.ts"
import type { OpenedIngress, OpenIngressDeps } from "./opened-ingress.ts"
import { publicIngress } from "./public-ingress.ts"
import { datesProblem, readTlsPair } from "./tls-pair.ts"
import { trustedProxies } from "./trusted-proxies.ts"
import { watchTlsPair } from "./watch-tls-pair.ts"

type PublicOptions = Pick<ServiceOptions, "host" | "reach" | "node"> & { publicUrl: string }

const noReach: ReachOptions = { tls: null, trustProxy: [], insecureHttp: false }

/**
 * The ingress of a team's service. @throws config_invalid when the public address does not match the connection options
 */
export function openPublicIngress(
  options: PublicOptions,
  { report, timers = nodeTimers }: OpenIngressDeps,
): OpenedIngress {
  const { host, publicUrl, reach = noReach } = options
  if (!isInner(options)) requireFit(options, reach)
  const isExposed = !publicUrl.startsWith("https:") && isOffMachine(options) && !isInner(options)
  if (isExposed) report(`passwords and cookies cross the network in the clear (--insecure-http): ${publicUrl}`)
  let hosts = new Set<string>()
  const ingress = publicIngress({
    url: publicUrl,
    isExposed,
    isTrustedProxy: trustedProxies(reach.trustProxy),
    isOwnHost: (given) => hosts.has(given),
  })
  let stopWatching = () => {}
  return {
    ingress,
    publicUrl,
    createServer(answer) {
      if (reach.tls === null) return createServer(answer)
      const { server, stop } = createTlsServer(reach.tls, { report, timers })
      stopWatching = stop
      return server.on("request", answer)
    },
    listensOn(origin) {
      const { port } = new URL(origin)
      hosts = ownHosts(port).add(`${host.includes(":") ? `[${host}]` : host}:${port}`)
      // The certificate is valid for the public name only.
      return reach.tls === null ? ownOrigin(host, port) : publicUrl
    },
    close: () => stopWatching(),
  }
}

function createTlsServer(
  files: TlsFiles,
  { report, timers }: Required<OpenIngressDeps>,
): { server: Server; stop(): void } {
  const pair = readTlsPair(files)
  const problem = datesProblem(pair, Date.now())
  if (problem !== null) report(problem)
  const server: SecureServer = createSecureServer(pair)
  const use = server.setSecureContext.bind(server)
  return { server, stop: watchTlsPair(files, { use, report, clock: Date.now, timers }) }
}

/** The origin at which programs on this machine reach a service that listens on `host`. */
function ownOrigin(host: string, port: string): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`
  return host.includes(":") ? `http://[${host === "::" ? "::1" : host}]:${port}` : `http://${host}:${port}`
}

function requireFit(options: PublicOptions, { tls, trustProxy, insecureHttp }: ReachOptions): void {
  const { publicUrl } = options
  if (publicUrl.startsWith("https:")) {
    if (insecureHttp)
      throw unfit(`people reach this team by ${publicUrl}; leave out --insecure-http, or give it an http:// address`)
    if (tls === null && trustProxy.length === 0)
      throw unfit(
        `people reach this team by ${publicUrl}: say who speaks TLS, Docket itself (--tls-cert FILE --tls-key FILE) or a proxy in front of it (--trust-proxy ADDRESS, such as 127.0.0.1)`,
      )
    return
  }
  if (tls !== null)
    throw unfit(`people reach this team by ${publicUrl}: with a certificate, give it an https:// address`)
  if (isOffMachine(options) && !insecureHttp)
    throw unfit(
      `people reach this team by ${publicUrl}, so passwords and cookies would cross the network in the clear: give it an https:// address, or accept that with --insecure-http`,
    )
}

/** A worker serves programs of its own machine only, unless it is told how others connect. */
function isInner({ node, host, reach }: PublicOptions): boolean {
  return node?.role === "worker" && isLoopback(host) && reach === undefined
}

/** Whether other machines can connect, judged by the address it listens on and by its public address. */
function isOffMachine({ host, publicUrl }: PublicOptions): boolean {
  const { hostname } = new URL(publicUrl)
  const isLocalName = hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"))
  return !isLoopback(host) || !isLocalName
}

function unfit(message: string): DocketError {
  return new DocketError("config_invalid", message)
}
