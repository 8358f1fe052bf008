import { createServer } from "node:http"
import { loopbackFront } from "@docket/api"
import { DocketError } from "@docket/core"
import { ownHosts } from "../listen.ts"
import { needsTeam, type ServiceOptions } from "../options.ts"
import { isLoopback } from "./is-loopback.ts"
import type { OpenedFront, OpenFrontDeps } from "./opened-front.ts"

type FrontOptions = Pick<ServiceOptions, "host" | "reach" | "publicUrl">

/** @throws unsafe_bind without a team, config_invalid when its address and how it is reached do not fit */
export async function openFront(options: FrontOptions, deps: OpenFrontDeps): Promise<OpenedFront> {
  if (options.publicUrl === undefined) return openLoopback(options)
  const { openPublicFront } = await import("./open-public-front.ts")
  return openPublicFront({ ...options, publicUrl: options.publicUrl }, deps)
}

function openLoopback({ host, reach }: FrontOptions): OpenedFront {
  if (!isLoopback(host)) throw new DocketError("unsafe_bind", needsTeam(`--host ${host}`))
  if (reach) throw new DocketError("unsafe_bind", needsTeam("--tls-cert, --trust-proxy or --insecure-http"))
  let hosts = new Set<string>()
  return {
    front: loopbackFront((given) => hosts.has(given)),
    publicUrl: null,
    createServer,
    listensOn(origin) {
      hosts = ownHosts(new URL(origin).port)
      return origin
    },
    close: () => undefined,
  }
}
