import { lstat } from "node:fs/promises"
import { writeAtomic } from "../../acts/tool/checked-file.ts"
import { permissionsOf } from "../../acts/tool/text-file.ts"
import type { ExtensionPlace } from "../../engine/extension/extension-host.ts"
import { type ExtensionEntry, entriesOf, removalOf, withoutEntry } from "../../engine/extension/removal.ts"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { notWritten } from "../../ground/error/not-written.ts"
import type { Caller, ExtensionItem, ListedExtension, Project } from "../../ground/schema/index.ts"
import { textDigest } from "../../setup/config/digest.ts"
import type { CallerServices } from "../caller-services.ts"
import type { Services } from "../create-services.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"

/** Without a project, only the user's own extensions are there. */
type ProjectOrNone = string | undefined

/** What a caller asks about extensions. */
export function extensionServicesOf(
  { extensions = [] }: RuntimeDeps,
  { ledger, extensionPlaceOf, extensionsAlone, projects, projectTrusts }: Services,
  caller: Caller,
): Pick<CallerServices, "extension"> {
  const placeOf = async (projectID: ProjectOrNone) =>
    projectID === undefined ? extensionsAlone() : extensionPlaceOf(await projects.get(projectID))
  const itemsOf = async (projectID: ProjectOrNone, known?: ExtensionPlace) => {
    const place = known ?? (await placeOf(projectID))
    return (await Promise.all(extensions.map((host) => host.list(place, caller.person)))).flat()
  }
  const find = async (projectID: ProjectOrNone, { kind, name }: Pick<ExtensionItem["ref"], "kind" | "name">) => {
    const items = await itemsOf(projectID)
    const found = items.find(({ ref }) => ref.kind === kind && ref.name === name)
    if (found !== undefined) return found
    const names = items.flatMap(({ ref }) => (ref.kind === kind ? [ref.name] : []))
    const owner = projectID === undefined ? "Your own configuration" : "The project"
    const known = `${owner} has ${names.length === 0 ? "none" : names.join(", ")}.`
    throw new DocketError("invalid_input", `There is no ${kindWords[kind]} "${name}". ${known}`)
  }
  const signInOf = (kind: ExtensionItem["ref"]["kind"]) => {
    const signIn = extensions.find((host) => host.kind === kind)?.signIn
    if (signIn !== undefined) return signIn
    throw new DocketError("invalid_input", `Nobody signs in to a ${kindWords[kind]}.`)
  }
  const signing = async (projectID: ProjectOrNone, name: string, forAll: boolean) => ({
    place: await placeOf(projectID),
    name,
    person: caller.person,
    forAll,
  })
  const listOf = async (projectID: ProjectOrNone): Promise<ListedExtension[]> => {
    const place = await placeOf(projectID)
    const items = await itemsOf(projectID, place)
    const facts = await ledger.factsOf(items.map(({ ref }) => ref))
    return items.flatMap((item, at) => {
      const known = facts[at]
      return known === undefined ? [] : [{ ...item, removal: removalOf(place, item), ...known }]
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
      async uninstall(projectID, named) {
        const item = await find(projectID, named)
        const place = await placeOf(projectID)
        const project = projectID === undefined ? null : await projects.get(projectID)
        const entries = entriesOf(place, item)
        if (entries.length === 0) throw new DocketError("invalid_input", removalOf(place, item).words)
        const host = extensions.find(({ kind }) => kind === item.ref.kind)
        const { name } = item.ref
        await host?.forget?.(place, name, caller.person)
        if (item.signIn?.state === "in")
          await host?.signIn?.signOut({ place, name, person: caller.person, forAll: true })
        for (const entry of entries) await takeOut(projectTrusts, { entry, project }, caller)
        await ledger.forget(item.ref)
        await host?.restart?.(place, name)
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

/** Takes an entry out of its file, whose change clients are told of. */
async function takeOut(
  { makeOwnChange }: Pick<Services["projectTrusts"], "makeOwnChange">,
  { entry, project }: { entry: ExtensionEntry; project: Project | null },
  by: Caller,
): Promise<void> {
  const { real, text } = await withoutEntry(entry)
  const write = async () => {
    const mode = permissionsOf(await lstat(real, { bigint: true }))
    await writeAtomic(real, Buffer.from(text), { mode }).catch((error) => {
      throw notWritten(real, error)
    })
  }
  await makeOwnChange({ project, file: entry.file, digest: textDigest(text), write }, by)
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
