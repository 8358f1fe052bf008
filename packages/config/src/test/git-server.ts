import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What lets a runtime reach the server of a test. */
export const allowTestServer = { repositories: { allow: ["127.0.0.0/8"], http: true } }

/** A repository of the server, and a clone in which another person works. */
export interface ServedRepository {
  /** Its address. */
  url: string
  /** Whether the server has the ref. */
  has(ref: string): boolean
  /** Runs git in the bare repository of the server. */
  git(...args: string[]): string
  /**
   * Commits files as another person, on a branch; null removes one.
   * @param options.links commits of other repositories, by the path of the submodule
   * @returns the commit
   */
  commit(
    files: Record<string, string | null>,
    options?: { branch?: string; amend?: boolean; links?: Record<string, string> },
  ): Promise<string>
  /** Runs git in the clone of that person. */
  other(...args: string[]): string
}

export interface GitServer extends AsyncDisposable, ServedRepository {
  origin: string
  /** The tokens that are accepted at this moment; null lets everybody in. */
  tokens: Set<string> | null
  /** Answers every request with 503. */
  isDown: boolean
  /** The paths and authorizations of requests. */
  requests: { path: string; authorization: string | undefined }[]
  /** Resolves when this is so, looking after each answer. */
  until(isSo: () => boolean): Promise<void>
  /** Another repository of the same server. */
  add(name: string, files: Record<string, string>): Promise<ServedRepository>
  /** Sets the script that a push has to pass, or none. */
  hook(name: "pre-receive" | "update", script: string | null): Promise<void>
}

const who = ["-c", "user.name=Other", "-c", "user.email=other@example.org", "-c", "protocol.file.allow=always"]

function run(cwd: string, args: string[]): string {
  return execFileSync("git", [...who, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 * 1024 ** 2 })
    .toString()
    .trim()
}

/** A repository behind git's own program for HTTP, with one commit on `main` that has these files. */
export async function startGitServer(files: Record<string, string> = { "a.txt": "one\n" }): Promise<GitServer> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-git-")))
  const server = createServer((request, response) => serve(made, root, request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const answered = new Set<() => void>()
  server.on("request", (_request, response: ServerResponse) => {
    response.on("close", () => {
      for (const look of answered) look()
    })
  })
  const origin = `http://127.0.0.1:${port}`
  const add = (name: string, contents: Record<string, string>) => makeRepository({ root, origin, name }, contents)
  const bare = join(root, "shop.git")
  const made: GitServer = {
    ...(await add("shop", files)),
    ...{ origin, add },
    ...{ tokens: null, isDown: false, requests: [] },
    async until(isSo) {
      while (!isSo()) {
        const { promise, resolve } = Promise.withResolvers<void>()
        answered.add(resolve)
        await promise
        answered.delete(resolve)
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
    async hook(name, script) {
      const file = join(bare, "hooks", name)
      await rm(file, { force: true })
      if (script === null) return
      await mkdir(join(bare, "hooks"), { recursive: true })
      await writeFile(file, `#!/bin/sh\n${script}\n`)
      await chmod(file, 0o755)
    },
  }
  return made
}

async function makeRepository(
  { root, origin, name }: { root: string; origin: string; name: string },
  files: Record<string, string>,
): Promise<ServedRepository> {
  const [bare, clone] = [join(root, `${name}.git`), join(root, `clone-${name}`)]
  run(root, ["init", "--quiet", "--bare", "-b", "main", bare])
  run(bare, ["config", "http.receivepack", "true"])
  run(root, ["clone", "--quiet", bare, clone])
  const made: ServedRepository = {
    url: `${origin}/${name}.git`,
    has: (ref) => run(bare, ["for-each-ref", ref]) !== "",
    git: (...args) => run(bare, args),
    other: (...args) => run(clone, args),
    async commit(changed, { branch = "main", amend = false, links = {} } = {}) {
      run(clone, ["fetch", "--quiet", "origin"])
      const known = run(clone, ["branch", "--remotes", "--list", `origin/${branch}`])
      run(
        clone,
        known === ""
          ? ["checkout", "--quiet", "-B", branch]
          : ["checkout", "--quiet", "-B", branch, `origin/${branch}`],
      )
      for (const [file, text] of Object.entries(changed)) {
        const at = join(clone, file)
        await mkdir(join(at, ".."), { recursive: true })
        if (text === null) await rm(at)
        else await writeFile(at, text)
      }
      run(clone, ["add", "--all"])
      for (const [path, commit] of Object.entries(links))
        run(clone, ["update-index", "--add", "--cacheinfo", `160000,${commit},${path}`])
      run(clone, ["commit", "--quiet", "-m", Object.keys(changed).join(), ...(amend ? ["--amend"] : [])])
      run(clone, ["push", "--quiet", "--force", "origin", branch])
      return run(clone, ["rev-parse", "HEAD"])
    },
  }
  await made.commit(files)
  return made
}

/** Answers by git's CGI program. Source: git-http-backend(1). */
function serve(server: GitServer, root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", server.origin)
  const { authorization } = request.headers
  server.requests.push({ path: pathname, authorization })
  if (server.isDown) return void response.writeHead(503).end()
  const [, token = ""] = Buffer.from(authorization?.replace(/^Basic /, "") ?? "", "base64")
    .toString()
    .split(":")
  if (server.tokens !== null && !server.tokens.has(token))
    return void response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end()
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "docket",
      ...(request.headers["content-length"] && { CONTENT_LENGTH: request.headers["content-length"] }),
      // Where Next's types are present, ProcessEnv demands NODE_ENV.
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
  })
  child.stdin.on("error", () => {})
  request.pipe(child.stdin)
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf("\r\n\r\n")
    if (end < 0) return
    child.stdout.off("data", readHead)
    const lines = head.subarray(0, end).toString().split("\r\n")
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    )
    const { Status = "200", ...rest } = headers
    response.writeHead(Number.parseInt(Status, 10), rest)
    response.write(head.subarray(end + 4))
    child.stdout.pipe(response)
  }
  child.stdout.on("data", readHead)
  child.on("close", () => response.end())
}
