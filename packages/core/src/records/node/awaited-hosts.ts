import type { AwaitedHost, AwaitedProject, Host, Project } from "../../ground/schema/index.ts"

export interface AwaitedHosts {
  /** The projects whose sessions wait for a host. Empty for a service of one process. */
  projects(): Promise<AwaitedProject[]>
  /** The host that the sessions of each such project wait for, by the id of the project. */
  byProject(): Promise<ReadonlyMap<string, AwaitedHost>>
}

interface Deps {
  rows(): Promise<readonly Pick<Project, "id" | "place">[]>
  /** How nodes reach each other; without it, everything is here. */
  hosts: { awaited(places: readonly string[]): Promise<ReadonlyMap<string, AwaitedHost>> } | undefined
}

/** Knows which projects nobody works on, because the host that has their files is away. */
export function createAwaitedHosts({ rows, hosts }: Deps): AwaitedHosts {
  const projects = async (): Promise<AwaitedProject[]> => {
    if (hosts === undefined) return []
    const all = await rows()
    const awaited = await hosts.awaited([...new Set(all.flatMap(({ place }) => place ?? []))])
    return all.flatMap(({ id: projectID, place }) => {
      const host = awaited.get(place ?? "")
      return host === undefined ? [] : [{ projectID, host }]
    })
  }
  return {
    projects,
    byProject: async () => new Map((await projects()).map(({ projectID, host }) => [projectID, host])),
  }
}

/** What work at a place waits for; null at one of a service of one process, which has no host. */
export function awaitedAt(place: string, why: AwaitedHost["why"], hosts: readonly Host[]): AwaitedHost | null {
  const [kind, name = ""] = place.split(":")
  if (kind === "host") return { kind, name: nameOfHost(name, hosts), why }
  if (kind === "storage") return { kind, name, why }
  return kind === "any" ? { kind, name: null, why } : null
}

export function nameOfHost(id: string, hosts: readonly Host[]): string {
  return hosts.find((host) => host.id === id)?.label || id
}
