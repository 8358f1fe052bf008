import { randomUUID } from "node:crypto"
import type { Timers } from "@docket/core/timers"
import { z } from "zod"
import type { ContainerRequest } from "./container-request.ts"
import { type Engine, type EngineLink, problemOfRefusal } from "./engine.ts"
import { EngineProblem, problemOfStart } from "./engine-problem.ts"
import { askInside } from "./run-inside.ts"

/** A container that one command has for itself. */
export interface Lease {
  engine: Engine
  /** The engine's id of the container. */
  id: string
  /** Whether nothing but the container's own program runs in it. */
  isQuiet(): Promise<boolean>
  /** Ends all that runs in it, and the container. Resolves when it is gone. Does not fail. */
  kill(): Promise<void>
  /** Gives it back, for the next command of the session that needs the same. Call it when it is quiet or gone. */
  release(): void
}

/** The containers of the commands of one service. */
export interface Containers {
  /**
   * A container for a command of a session, kept from an earlier one or made now. Commands at the same time get one each.
   * @throws EngineProblem
   */
  lease(engine: Engine, session: string, request: ContainerRequest): Promise<Lease>
  /** Ends the containers of a session. Does not fail. */
  end(session: string): Promise<void>
  /** Removes what a service that died left at an engine; `label` is in all containers of its data directory. */
  reap(engine: Engine, label: string): Promise<void>
  close(): Promise<void>
}

interface Container {
  engine: Engine
  id: string
  session: string
  key: string
  /** Holds its input open: the container ends with it. */
  hold: EngineLink
  /** Resolves when the engine has ended it. */
  gone: Promise<void>
  isGone: boolean
  isLeased: boolean
  /** Its session has ended: it is not used again. */
  isUnwanted: boolean
  cancelEnd(): void
}

/** ms. A container that no command needs for so long is ended; the next command waits for another. */
const idleMs = 5 * 60_000
/** ms; of an engine that does not end a container in this time nothing more can be expected. */
const endMs = 10_000
/** Containers with nothing but their own program: that of the engine, which collects orphans, and one that waits. */
const ownPrograms = 2

const Created = z.object({ Id: z.string().min(1) })
const Listed = z.array(z.object({ Id: z.string() }))
const Top = z.object({ Processes: z.array(z.unknown()).nullable() })

export function createContainers({ timers }: { timers: Timers }): Containers {
  const all = new Set<Container>()
  let isClosed = false
  const end = async (container: Container) => {
    container.isUnwanted = true
    container.cancelEnd()
    await endContainer(container)
    all.delete(container)
  }
  const leaseOf = (container: Container): Lease => {
    container.isLeased = true
    container.cancelEnd()
    const { engine, id } = container
    return {
      ...{ engine, id },
      async isQuiet() {
        if (container.isGone) return true
        const top = await engine.call("GET", `/containers/${id}/top`)
        // The container has just ended.
        if (top.status === 404 || top.status === 409) return true
        if (top.status !== 200) throw problemOfRefusal(top)
        return (Top.parse(top.body).Processes?.length ?? 0) <= ownPrograms
      },
      kill: () => end(container),
      release() {
        container.isLeased = false
        if (container.isGone || container.isUnwanted) return void end(container)
        container.cancelEnd = timers.after(idleMs, () => void end(container))
      },
    }
  }
  return {
    async lease(engine, session, request) {
      if (isClosed) throw new EngineProblem("Docket is stopping: it starts no command any more.")
      const kept = [...all].find((one) => one.session === session && one.key === request.key && isFree(one))
      if (kept !== undefined) return leaseOf(kept)
      // What the session needed before, it does not need now.
      for (const other of all) if (other.session === session && isFree(other)) void end(other)
      const container = await makeContainer(engine, session, request)
      all.add(container)
      void container.gone.then(() => all.delete(container))
      if (!isClosed) return leaseOf(container)
      await end(container)
      throw new EngineProblem("Docket is stopping: it starts no command any more.")
    },
    async end(session) {
      await Promise.all([...all].filter((container) => container.session === session).map(end))
    },
    async reap(engine, label) {
      const filters = encodeURIComponent(JSON.stringify({ label: [label] }))
      const listed = await engine.call("GET", `/containers/json?all=1&filters=${filters}`)
      if (listed.status !== 200) throw problemOfRefusal(listed)
      const own = new Set([...all].map(({ id }) => id))
      const left = Listed.parse(listed.body).filter(({ Id }) => !own.has(Id))
      await Promise.all(left.map(({ Id }) => engine.call("DELETE", `/containers/${Id}?force=1&v=1`)))
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map(end))
    },
  }
}

function isFree({ isGone, isLeased, isUnwanted }: Container): boolean {
  return !isGone && !isLeased && !isUnwanted
}

async function makeContainer(engine: Engine, session: string, request: ContainerRequest): Promise<Container> {
  const image = String(request.body.Image)
  const created = await engine.call("POST", `/containers/create?name=docket-${randomUUID()}`, { body: request.body })
  if (created.status !== 201) throw problemOfStart(problemOfRefusal(created), image)
  const { Id: id } = Created.parse(created.body)
  try {
    // With its output, though it has none: an engine tells the end of a container by the end of its output.
    const hold = await engine.attach(`/containers/${id}/attach?stream=1&stdin=1&stdout=1`)
    const started = await engine.call("POST", `/containers/${id}/start`)
    if (started.status !== 204) throw problemOfStart(problemOfRefusal(started), image)
    const container: Container = {
      ...{ engine, id, session, key: request.key, hold },
      gone: closed(hold),
      ...{ isGone: false, isLeased: false, isUnwanted: false },
      cancelEnd() {},
    }
    void container.gone.then(() => {
      container.isGone = true
    })
    await checkShown(engine, id, request)
    return container
  } catch (error) {
    await removeContainer(engine, id)
    throw error
  }
}

function closed({ output, close }: EngineLink): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close"]) {
      output.once(event, () => {
        close()
        resolve()
      })
    }
    // What is not read does not end.
    output.resume()
  })
}

/**
 * Looks whether the container shows the files that were meant. The engine mounts paths, and a command of another session that
 * works in the same files could put a link in the place of one while the container starts.
 */
async function checkShown(engine: Engine, id: string, { identities }: ContainerRequest): Promise<void> {
  const paths = [...identities.keys()]
  if (paths.length === 0) return
  const program = { command: ["stat", "-c", "%d:%i", "--", ...paths] }
  const said = await askInside(engine, id, { program, timeout: endMs })
  const found = said.trim().split("\n")
  const other = paths.find((path, index) => found[index] !== identities.get(path))
  if (other === undefined) return
  throw new EngineProblem(
    `The container does not show the file that is at ${other}, so nothing was run in it (${(found[paths.indexOf(other)] ?? said).slice(0, 200)}). Either it was replaced at this moment: then try again. Or the container engine does not run on this machine, or the image has no stat.`,
  )
}

async function endContainer(container: Container): Promise<void> {
  const { engine, id, gone } = container
  if (container.isGone) return
  if (await removeContainer(engine, id)) {
    container.isGone = true
    return container.hold.close()
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, endMs)
  })
  await Promise.race([gone, late])
  clearTimeout(timer)
  container.hold.close()
}

/**
 * Whether it is gone. An engine that cannot be asked ends the container when it finds its input closed, or the next start removes
 * it.
 */
async function removeContainer(engine: Engine, id: string): Promise<boolean> {
  const answer = await engine.call("DELETE", `/containers/${id}?force=1&v=1`).catch(() => null)
  return answer?.status === 204 || answer?.status === 404
}
