"use client"

import type { TreeSeed } from "@docket/client"
import { useTRPC, useTranscript, useTreeState } from "@docket/client/react"
import { turnOrder } from "@docket/core/message"
import type { PermissionRequest, Session, Todo, Turn } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { seedFor } from "../transcript/first/seed-for.ts"
import { placeToLoad } from "../transcript/use-arrival.ts"

const noSessions: Record<string, Session> = {}
const noRequests: Record<string, PermissionRequest> = {}
const noTurns: Record<string, Turn> = {}
const noneTakenBack: readonly Turn[] = []
const noTodos: Record<string, Todo[]> = {}

const byID = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

interface SessionAddress {
  rootID: string
  part: string | null
  /** Data sent with the page. */
  seed: TreeSeed | null
}

/** The live tree of a session, in the shape that the page draws, with the messages where the user arrives. */
export function useSessionView(sessionID: string, { rootID, part, seed: firstSeed }: SessionAddress) {
  const around = useMemo(() => placeToLoad(sessionID, part), [sessionID, part])
  const seed = useMemo(() => firstSeed && seedFor(firstSeed, around), [firstSeed, around])
  const store = useTranscript(sessionID, { rootID, around, seed })
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const permissions = useTreeState(store, (view) => view.tree?.permissions ?? noRequests)
  const turns = useTreeState(store, (view) => view.tree?.turns ?? noTurns)
  const allTakenBack = useTreeState(store, (view) => view.tree?.takenBack ?? noneTakenBack)
  const todos = useTreeState(store, (view) => view.tree?.todos ?? noTodos)
  const error = useTreeState(store, (view) => view.error)
  const removed = useTreeState(store, (view) => view.tree?.removed ?? false)
  const loaded = useTreeState(store, (view) => view.tree !== null)

  const tree = useMemo(
    () => Object.values(sessions).sort((a, b) => a.time.created - b.time.created || byID(a, b)),
    [sessions],
  )
  const requests = useMemo(() => Object.values(permissions).sort(byID), [permissions])
  const queued = useMemo(
    () =>
      Object.values(turns)
        .filter((turn) => turn.sessionID === sessionID && turn.status === "queued")
        .sort(turnOrder),
    [turns, sessionID],
  )
  const takenBack = useMemo(
    () => allTakenBack.filter((turn) => turn.sessionID === sessionID),
    [allTakenBack, sessionID],
  )
  return {
    store,
    loaded,
    error,
    /** The session or its root was deleted while it was on screen. */
    removed: removed || (loaded && sessions[sessionID] === undefined),
    session: sessions[sessionID] ?? null,
    sessions,
    /** All sessions of the tree, the oldest first. */
    tree,
    /** The permission requests of the whole tree that wait for an answer, the oldest first. */
    requests,
    queued,
    takenBack,
    todos: todos[sessionID] ?? [],
  }
}

export type SessionView = ReturnType<typeof useSessionView>

/** What the composer needs in addition to the tree: the project, its agents and models. */
export function useSessionSetting(session: Session | null) {
  const trpc = useTRPC()
  const projectID = session?.projectID ?? ""
  const enabled = session !== null
  const project = useQuery({ ...trpc.project.get.queryOptions({ projectID }), enabled })
  const agents = useQuery({ ...trpc.agent.list.queryOptions({ projectID }), enabled })
  const providers = useQuery({ ...trpc.provider.list.queryOptions({ projectID }), enabled })
  const defaultModel = useQuery({ ...trpc.provider.defaultModel.queryOptions({ projectID }), enabled })
  const agentModel = agents.data?.find((agent) => agent.name === session?.agent)?.model
  return {
    project: project.data ?? null,
    agents: agents.data ?? [],
    providers: providers.data ?? [],
    model: session?.model ?? agentModel ?? defaultModel.data ?? null,
    /** Only when there is no data to show: cached data stays valid while the connection is lost. */
    error:
      [project, agents, providers].find((query) => query.data === undefined && query.error !== null)?.error ?? null,
  }
}
