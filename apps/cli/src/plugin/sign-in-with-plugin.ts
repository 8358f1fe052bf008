import { visibleText } from "@docket/core/rule"
import type { BegunSignIn, ListedExtension, SignInWay } from "@docket/core/schema"
import { typedLines } from "../typed-lines.ts"
import { type SignInPlace, untilSignedIn } from "../until-signed-in.ts"
import { UsageError } from "../usage-error.ts"

/**
 * Signs in to the provider of a plugin, asking for what is missing, and waits until that is done. Returns what happened.
 * @throws UsageError when it fails
 */
export async function signInWithPlugin(
  place: SignInPlace<"plugin">,
  { way: number, inputs: given }: { way: number; inputs: Record<string, string> },
): Promise<string> {
  const { client, named, input, print } = place
  const { signIn } = await client.extension.start.mutate(named)
  if (signIn === undefined)
    throw new UsageError(`${visibleText(named.name)} signs in to no provider, or is not of your own configuration`)
  const way = signIn.ways[number]
  if (way === undefined) throw new UsageError(`it has ${signIn.ways.length} ways to sign in`)
  for (const [at, { label }] of signIn.ways.entries())
    print(`${at === number ? "*" : " "} --way ${at + 1}: ${visibleText(label)}`)
  const over = new AbortController()
  const lines = typedLines(input, over.signal)
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done) throw new UsageError("nothing more is typed; give it with --input")
    return value
  }
  try {
    const inputs = await answers(way, { given, print, answer })
    const begun = await client.extension.signIn.mutate({ ...named, choice: { way: number, inputs } })
    if (begun !== null) {
      print(words(begun).join("\n"))
      if (begun.givesCode) await client.extension.finishSignIn.mutate({ ...named, address: await answer() })
      else await untilSignedIn(place, begun, isSignedIn)
    }
  } finally {
    over.abort()
  }
  return `signed in to ${visibleText(signIn.provider)} with ${visibleText(named.name)}`
}

interface Asking {
  given: Record<string, string>
  print(text: string): void
  answer(): Promise<string>
}

async function answers({ prompts }: SignInWay, { given, print, answer }: Asking): Promise<Record<string, string>> {
  const inputs: Record<string, string> = {}
  for (const { key, message, options, when } of prompts) {
    if (when !== null && (inputs[when.key] === when.value) !== (when.op === "eq")) continue
    if (given[key] === undefined) {
      print(`${visibleText(message)} (--input ${visibleText(key)}=…)`)
      for (const { value, label } of options) print(`  ${visibleText(value)}: ${visibleText(label)}`)
    }
    inputs[key] = given[key] ?? (await answer()).trim()
  }
  return inputs
}

function words({ address, note, givesCode }: BegunSignIn): string[] {
  return [
    ...(note === undefined ? [] : [visibleText(note)]),
    "Open this page and agree there:",
    "",
    `  ${visibleText(address)}`,
    "",
    ...(givesCode ? ["Then paste the code here, or the address on which the page ends."] : []),
  ]
}

function isSignedIn(plugin: ListedExtension | undefined): boolean {
  if (plugin?.signIn?.failure) throw new UsageError(visibleText(plugin.signIn.failure))
  return plugin?.signIn?.state === "in"
}
