import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import type { DocketClient } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import type { BegunSignIn } from "@docket/core/schema"
import { typedLines } from "../typed-lines.ts"
import { UsageError } from "../usage-error.ts"

interface SignInPlace {
  client: Pick<DocketClient, "extension">
  named: { projectID: string; kind: "mcp"; name: string }
  /** Where a person may paste the address on which the browser ended. */
  input: Readable
  print(text: string): void
  signal: AbortSignal
}

/** ms between two looks whether the browser has come back. */
const pauseMs = 500

/** Signs in to a server, and waits until that is done. Returns what it offers then. @throws UsageError when it fails */
export async function signIn(
  { client, named, input, print, signal }: SignInPlace,
  { method, forAll }: { method: "browser" | "device"; forAll: boolean },
): Promise<string> {
  const begin = forAll ? client.extension.signInForAll : client.extension.signIn
  const begun = await begin.mutate({ ...named, method })
  if (begun !== null) {
    print(words(begun).join("\n"))
    const over = new AbortController()
    const pasted = begun.isRedirected ? typedLines(input, over.signal) : []
    const finish = async () => {
      for await (const address of pasted) {
        if (address.trim() === "") continue
        const failed = await client.extension.finishSignIn.mutate({ ...named, address }).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        )
        if (failed !== null) print(visibleText(failed))
      }
    }
    const pasting = finish()
    try {
      await untilSignedIn({ client, named, signal }, begun)
    } finally {
      over.abort()
      await pasting
    }
  }
  const item = await find({ client, named })
  return `signed in to ${visibleText(named.name)}: ${item.tools.length} ${item.tools.length === 1 ? "tool" : "tools"}`
}

function words({ address, code, isRedirected }: BegunSignIn): string[] {
  return [
    `Open this page and agree there${code === null ? "" : `, with the code ${visibleText(code)}`}:`,
    "",
    `  ${visibleText(address)}`,
    "",
    ...(isRedirected
      ? ["If your browser then cannot reach the page it is sent to, paste the address of that page here."]
      : []),
  ]
}

async function untilSignedIn(
  { client, named, signal }: Pick<SignInPlace, "client" | "named" | "signal">,
  { expiresAt }: BegunSignIn,
): Promise<void> {
  while (Date.now() < expiresAt) {
    const { state, error } = await find({ client, named })
    if (state === "ready") return
    if (state !== "needs-login" && state !== "starting") throw new UsageError(visibleText(error ?? "it did not start"))
    if (error?.startsWith("The sign-in failed")) throw new UsageError(visibleText(error))
    await delay(pauseMs, undefined, { signal })
  }
  throw new UsageError("nobody signed in in time; begin again")
}

async function find({ client, named }: Pick<SignInPlace, "client" | "named">) {
  const items = await client.extension.list.query({ projectID: named.projectID })
  const item = items.find(({ ref }) => ref.kind === named.kind && ref.name === named.name)
  if (item === undefined) throw new UsageError(`there is no MCP server "${visibleText(named.name)}"`)
  return item
}
