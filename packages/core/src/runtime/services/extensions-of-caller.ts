import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import type { Caller, ExtensionItem, ListedExtension } from "../../ground/schema/index.ts"
import type { CallerServices } from "../caller-services.ts"
import type { Services } from "../create-services.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"

/** What a caller asks about extensions. */
export function extensionServicesOf(
  { extensions = [] }: RuntimeDeps,
  { ledger, extensionPlaceOf, projects }: Services,
  caller: Caller,
): Pick<CallerServices, "extension"> {
  const placeOf = async (projectID: string) => extensionPlaceOf(await projects.get(projectID))
  const itemsOf = async (projectID: string) => {
    const place = await placeOf(projectID)
    return (await Promise.all(extensions.map((host) => host.list(place, caller.person)))).flat()
  }
  const find = async (projectID: string, { kind, name }: Pick<ExtensionItem["ref"], "kind" | "name">) => {
    const items = await itemsOf(projectID)
    const found = items.find(({ ref }) => ref.kind === kind && ref.name === name)
    if (found !== undefined) return found
    const names = items.flatMap(({ ref }) => (ref.kind === kind ? [ref.name] : []))
    const known = names.length === 0 ? "The project has none." : `The project has ${names.join(", ")}.`
    throw new DocketError("invalid_input", `There is no ${kindWords[kind]} "${name}". ${known}`)
  }
  const signInOf = (kind: ExtensionItem["ref"]["kind"]) => {
    const signIn = extensions.find((host) => host.kind === kind)?.signIn
    if (signIn !== undefined) return signIn
    throw new DocketError("invalid_input", `Nobody signs in to a ${kindWords[kind]}.`)
  }
  const signing = async (projectID: string, name: string, forAll: boolean) => ({
    place: await placeOf(projectID),
    name,
    person: caller.person,
    forAll,
  })
  const listOf = async (projectID: string): Promise<ListedExtension[]> => {
    const items = await itemsOf(projectID)
    const facts = await ledger.factsOf(items.map(({ ref }) => ref))
    return items.flatMap((item, at) => {
      const known = facts[at]
      return known === undefined ? [] : [{ ...item, ...known }]
    })
  }
  return {
    extension: {
      list: listOf,
      async switch(projectID, named, state) {
        const { ref } = await find(projectID, named)
        await ledger.switch(ref, state, caller)
        const host = extensions.find(({ kind }) => kind === ref.kind)
        await host?.restart?.(await placeOf(projectID), ref.name)
        return state
      },
      async complete(projectID, text, signal) {
        const place = await placeOf(projectID)
        const asking = { place, person: caller.person, signal }
        const found = await Promise.all(extensions.map((host) => host.complete?.(text, asking) ?? null))
        return found.find((one) => one !== null) ?? null
      },
      async start(projectID, named) {
        const { ref } = await find(projectID, named)
        const host = extensions.find(({ kind }) => kind === ref.kind)
        await host?.start?.(await placeOf(projectID), ref.name, caller.person)
        const found = (await listOf(projectID)).find(
          ({ ref: { kind, name } }) => kind === ref.kind && name === ref.name,
        )
        if (found === undefined) throw new DocketError("invalid_input", `"${ref.name}" is not there any more.`)
        return found
      },
      async restart(projectID, named) {
        const { ref } = await find(projectID, named)
        const host = extensions.find(({ kind }) => kind === ref.kind)
        await host?.restart?.(await placeOf(projectID), ref.name)
      },
      async signIn(projectID, { kind, name }, { method, forAll, choice }) {
        const who = await signing(projectID, name, forAll)
        return asked(signInOf(kind).begin(who, method, choice))
      },
      async finishSignIn(projectID, { kind, name }, address) {
        const who = await signing(projectID, name, false)
        await asked(signInOf(kind).finish(who, address))
      },
      async signOut(projectID, { kind, name }, { forAll }) {
        const who = await signing(projectID, name, forAll)
        await asked(signInOf(kind).signOut(who))
      },
    },
  }
}

/** What a sign-in says of a failure is for the person who signs in. */
async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isDocketError(error)) throw error
    const words = error instanceof Error ? error.message : String(error)
    throw new DocketError("invalid_input", words.slice(0, 1_000), { cause: error })
  }
}

const kindWords = { mcp: "MCP server", plugin: "plugin", hook: "hook" }
