import type { Turn } from "../../ground/schema/index.ts"
import type { TenantDatabase } from "../../ground/store/index.ts"

/** Where the open root sessions of all workspaces are. */
export interface TreesAtPlaces {
  /** How many each runner works on, by its id. */
  atWork: ReadonlyMap<string, number>
  /** How many wait at each place. */
  waiting: ReadonlyMap<string, number>
}

interface Deps {
  database: Pick<TenantDatabase, "workspaces" | "store">
  /** The workspace that exists from the start: it may have no row. */
  firstID: string
}

/** Reads them. What runs at a runner that is not there waits for another one. */
export function createTreesAtPlaces({ database, firstID }: Deps) {
  /** By tree: a tree keeps its place, so it is read once. */
  let places = new Map<string, string>()

  return async (isThere: (runner: string) => boolean): Promise<TreesAtPlaces> => {
    const [atWork, waiting, known] = [new Map<string, number>(), new Map<string, number>(), new Map<string, string>()]
    for (const tenantID of new Set([firstID, ...(await database.workspaces.withWork())])) {
      const { turn, tree } = database.store(tenantID)
      for (const [rootID, turns] of Map.groupBy(await turn.open(), (each) => each.rootID)) {
        const runner = turns.map(runnerOf).find((id) => id !== null && isThere(id))
        if (runner) {
          add(atWork, runner)
          continue
        }
        const place = places.get(rootID) ?? (await tree.place(rootID)) ?? ""
        known.set(rootID, place)
        add(waiting, place)
      }
    }
    places = known
    return { atWork, waiting }
  }
}

function runnerOf({ status, owner }: Turn): string | null {
  return status === "running" ? (owner?.runner ?? null) : null
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
