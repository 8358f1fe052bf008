import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import path from "node:path"
import { fileURLToPath } from "node:url"
import type { Ingress, PageReader, ShareReader } from "@docket/api"
import { DocketError } from "@docket/core"
import type { PageFiles } from "@docket/nodes"
import { setNextSettings, setWebEnvironment, type WebEnvironment } from "../env.ts"
import { sendBrokenPage, sendLoadingPage } from "./loading-page.ts"
import { hideForwarding, pageFacts, setPageHeaders } from "./page-headers.ts"
import { createStaticFiles, type StaticFiles } from "./static-files.ts"

export interface WebApp {
  serve(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Resolves when pages are served. Rejects when the web app cannot be loaded. */
  ready: Promise<void>
  close(): Promise<void>
}

interface WebAppDeps {
  /** Resolves when the web app is built; null when it is built already. */
  built: Promise<void> | null
  environment: WebEnvironment
  ingress: Ingress
  /** Reads shares for shared pages. */
  shares: ShareReader
  /** Identifies the user of a page, and reads the data that a page brings along. */
  pages: PageReader
  /** The files of the web apps of all nodes; null for a process that is alone. */
  shared: PageFiles | null
  onError(error: unknown): void
}

const webDirectory = fileURLToPath(new URL("../../../web", import.meta.url))

/** @throws config_invalid when the web app was not built */
export function requireWebBuild(): void {
  if (existsSync(path.join(webDirectory, ".next", "BUILD_ID"))) return
  throw new DocketError(
    "config_invalid",
    "the web app is not built. Run npm start, which builds it, or pnpm --filter @docket/web build; or start with --no-web.",
  )
}

/** Loads Next behind a server that already listens. Until then, pages say so, and open themselves later. */
export function mountWebApp({ built, environment, ingress, shared, onError, ...readers }: WebAppDeps): WebApp {
  setWebEnvironment(environment)
  offerReaders(readers)
  let files: StaticFiles | null = null
  let waitsFor: "build" | "load" = built === null ? "load" : "build"
  const since = performance.now()
  let handle: ((req: IncomingMessage, res: ServerResponse) => Promise<void>) | null = null
  let broken = false
  const load = async () => {
    const directory = path.join(webDirectory, ".next", "static")
    files = createStaticFiles({ directory, prefix: "/_next/static/", shared, onError })
    waitsFor = "load"
    // Loading blocks this thread for a while, so pending requests go first.
    await new Promise<void>((resolve) => setImmediate(resolve))
    return await loadNext()
  }
  const loaded = (built ?? Promise.resolve()).then(load)
  const ready = loaded.then(
    (app) => {
      handle = app.getRequestHandler()
    },
    (error: unknown) => {
      broken = true
      throw error
    },
  )
  return {
    ready,
    async serve(req, res) {
      const nonce = setPageHeaders(req, res, { ...(await pageFacts(readers.shares, req)), ingress })
      if (await files?.serve(req, res)) return
      hideForwarding(req)
      if (handle) await handle(req, res)
      else if (broken) sendBrokenPage(res)
      else if (waitsFor === "load") sendLoadingPage(res, { nonce, words: "Docket is starting…" })
      else
        sendLoadingPage(res, {
          nonce,
          words: "The web app is being built…",
          seconds: (performance.now() - since) / 1000,
        })
    },
    async close() {
      // A build that is not finished has nothing to close, and may never be.
      if (waitsFor === "load") await (await loaded.catch(() => null))?.close()
    },
  }
}

/** Next bundles the pages, so they find functions of this process by a shared symbol. */
function offerReaders({ shares, pages }: Pick<WebAppDeps, "shares" | "pages">): void {
  Object.assign(globalThis, { [Symbol.for("docket.shares")]: shares, [Symbol.for("docket.pages")]: pages })
}

/** The used part of Next. Its own types would make NODE_ENV a required variable everywhere in the program. */
interface NextServer {
  prepare(): Promise<void>
  getRequestHandler(): (req: IncomingMessage, res: ServerResponse) => Promise<void>
  close(): Promise<void>
}

async function loadNext(): Promise<NextServer> {
  // biome-ignore-start lint/suspicious/noConsole: nothing is printed here
  const { console } = globalThis
  // While it loads, Next only says how long that takes.
  console.log = () => {}
  const { config } = JSON.parse(await readFile(path.join(webDirectory, ".next", "required-server-files.json"), "utf8"))
  setNextSettings(config)
  const require = createRequire(path.join(webDirectory, "package.json"))
  const next: (options: { dev: boolean; dir: string }) => NextServer = require("next")
  const app = next({ dev: false, dir: webDirectory })
  await app.prepare()
  // Standard output is reserved for the JSON line that programs read.
  console.log = console.error
  // biome-ignore-end lint/suspicious/noConsole: nothing is printed here
  return app
}
