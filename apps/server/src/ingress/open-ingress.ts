import { createServer } from "node:http"
import { loopbackIngress } from "@docket/api"
import { DocketError } from "@docket/core"
import { ownHosts } from "../listen.ts"
import { needsTeam, type ServiceOptions } from "../options.ts"
import { isLoopback } from "./is-loopback.ts"
import type { OpenedIngress, OpenIngressDeps } from "./opened-ingress.ts"

type IngressOptions = Pick<ServiceOptions, "host" | "reach" | "publicUrl" | "node">

/** @throws unsafe_bind without a team, config_invalid when the public address does not match the connection options */
export async function openIngress(options: IngressOptions, deps: OpenIngressDeps): Promise<OpenedIngress> {
  if (options.publicUrl === undefined) return openLoopback(options)
  const { openPublicIngress } = await import("./open-public-ingress.ts")
  return openPublicIngress({ ...options, publicUrl: options.publicUrl }, deps)
}

function openLoopback({ host, reach }: IngressOptions): OpenedIngress {
  if (!isLoopback(host)) throw new DocketError("unsafe_bind", needsTeam(`--host ${host}`))
  if (reach) throw new DocketError("unsafe_bind", needsTeam("--tls-cert, --trust-proxy or --insecure-http"))
  let hosts = new Set<string>()
  return {
    ingress: loopbackIngress((given) => hosts.has(given)),
    publicUrl: null,
    createServer,
    listensOn(origin) {
      hosts = ownHosts(new URL(origin).port)
      return origin
    },
    close: () => undefined,
  }
}
