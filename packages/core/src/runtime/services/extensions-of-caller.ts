import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, ExtensionItem } from "../../ground/schema/index.ts"
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
    return (await Promise.all(extensions.map((host) => host.list(place)))).flat()
  }
  const find = async (projectID: string, { kind, name }: Pick<ExtensionItem["ref"], "kind" | "name">) => {
    const items = await itemsOf(projectID)
    const found = items.find(({ ref }) => ref.kind === kind && ref.name === name)
    if (found !== undefined) return found
    const names = items.flatMap(({ ref }) => (ref.kind === kind ? [ref.name] : []))
    const known = names.length === 0 ? "The project has none." : `The project has ${names.join(", ")}.`
    throw new DocketError("invalid_input", `There is no ${kindWords[kind]} "${name}". ${known}`)
  }
  return {
    extension: {
      async list(projectID) {
        const items = await itemsOf(projectID)
        const facts = await ledger.factsOf(items.map(({ ref }) => ref))
        return items.flatMap((item, at) => {
          const known = facts[at]
          return known === undefined ? [] : [{ ...item, ...known }]
        })
      },
      async switch(projectID, named, state) {
        const { ref } = await find(projectID, named)
        await ledger.switch(ref, state, caller)
        const host = extensions.find(({ kind }) => kind === ref.kind)
        await host?.restart?.(await placeOf(projectID), ref.name)
        return state
      },
      async restart(projectID, named) {
        const { ref } = await find(projectID, named)
        const host = extensions.find(({ kind }) => kind === ref.kind)
        await host?.restart?.(await placeOf(projectID), ref.name)
      },
    },
  }
}

const kindWords = { mcp: "MCP server", plugin: "plugin", hook: "hook" }
