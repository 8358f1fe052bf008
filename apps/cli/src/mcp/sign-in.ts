import { visibleText } from "@docket/core/rule"
import type { BegunSignIn, ListedExtension } from "@docket/core/schema"
import { typedLines } from "../typed-lines.ts"
import { findExtension, type SignInPlace, untilSignedIn } from "../until-signed-in.ts"
import { UsageError } from "../usage-error.ts"

/** Signs in to a server, and waits until that is done. Returns what it offers then. @throws UsageError when it fails */
export async function signIn(
  { client, named, input, print, signal }: SignInPlace<"mcp">,
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
      await untilSignedIn({ client, named, signal }, begun, (item) => isReady(found(item, named.name)))
    } finally {
      over.abort()
      await pasting
    }
  }
  const item = found(await findExtension({ client, named }), named.name)
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

function isReady({ state, error }: ListedExtension): boolean {
  if (state === "ready") return true
  if (state !== "needs-login" && state !== "starting") throw new UsageError(visibleText(error ?? "it did not start"))
  if (error?.startsWith("The sign-in failed")) throw new UsageError(visibleText(error))
  return false
}

function found(item: ListedExtension | undefined, name: string): ListedExtension {
  if (item === undefined) throw new UsageError(`there is no MCP server "${visibleText(name)}"`)
  return item
}
