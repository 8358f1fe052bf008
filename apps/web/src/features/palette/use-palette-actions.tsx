"use client"

import { useTRPC } from "@docket/client/react"
import { useMantineColorScheme } from "@mantine/core"
import type { SpotlightActionData, SpotlightActionGroupData } from "@mantine/spotlight"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Bot, Cpu, Plus, Search, SunMoon } from "lucide-react"
import { useParams } from "next/navigation"
import { useState } from "react"
import { useAppActions } from "../../shell/app-actions.tsx"
import { type Command, useOffered } from "../../shell/commands.tsx"
import { useMe } from "../../shell/me.tsx"
import { inbox, places } from "../../shell/places.ts"
import type { Rights } from "../../shell/rights.ts"
import { settingsPlacesOf } from "../../shell/settings-places.ts"
import { showProblem } from "../../shell/show-problem.ts"
import { useDeskCommands } from "../../shell/use-desk-commands.ts"
import { useGo } from "../../shell/use-go.ts"
import { useNewSession } from "../../shell/use-new-session.ts"
import { modelGroups } from "../composer/model-choice.ts"
import { primaryAgents } from "../composer/primary-agents.ts"
import { keysOf } from "../keyboard/keymap.ts"
import { Keys } from "../keyboard/keys.tsx"
import { commandIcon } from "./command-icon.ts"
import styles from "./palette.module.css"
import { rememberEntry } from "./recent.ts"
import { useSessionEntries } from "./use-session-entries.tsx"

const icon = 16
/** Number of projects for which a new session is offered. */
const projectCount = 8

interface PaletteActions {
  groups: SpotlightActionGroupData[]
  /** The search results belong to an earlier query: those of `search` have not arrived yet. */
  late: boolean
}

/** All entries of the palette for the page on screen. `search` is sent to the server to find sessions and texts. */
export function usePaletteActions(search: string): PaletteActions {
  const offered = useOffered()
  // The commands that the page offered when the palette opened.
  const [page] = useState(offered)
  const sessions = useSessionEntries(search)
  const agentsAndModels = useAgentAndModelEntries()
  const go = useGoEntries()
  const theme = useThemeEntries()
  const groups = [...commandGroups(page), ...sessions.groups, ...agentsAndModels, go, theme]
    .filter(({ actions }) => actions.length > 0)
    .map(({ group, actions }) => ({ group, actions: actions.map(remembered) }))
  return { groups, late: sessions.late }
}

/** Runs an entry and stores it as recently used. */
function remembered(action: SpotlightActionData): SpotlightActionData {
  const { onClick } = action
  return {
    ...action,
    onClick(event) {
      rememberEntry(action.id)
      onClick?.(event)
    },
  }
}

function commandGroups(commands: readonly Command[]): SpotlightActionGroupData[] {
  const doable = commands.filter(({ unavailable }) => unavailable === undefined)
  return [...Map.groupBy(doable, ({ group }) => group)].map(([group, own]) => ({ group, actions: own.map(entryOf) }))
}

function entryOf({ id, label, hint, keywords, slash, run }: Command): SpotlightActionData {
  const Icon = commandIcon(id)
  const keys = keysOf(label)
  const shown = keys.length > 0 || slash === undefined ? keys : [`/${slash}`]
  return {
    id,
    label,
    ...(hint !== undefined && { description: hint }),
    keywords: [...(keywords ?? []), ...(slash === undefined ? [] : [slash])],
    leftSection: <Icon size={icon} aria-hidden />,
    rightSection: <KeyHint keys={shown} />,
    onClick: () => void run(),
  }
}

function KeyHint({ keys }: { keys: readonly string[] }) {
  if (keys.length === 0) return null
  return (
    <span className={styles.keys}>
      <Keys keys={keys} />
    </span>
  )
}

function useGoEntries(): SpotlightActionGroupData {
  const trpc = useTRPC()
  const go = useGo()
  const newSession = useNewSession()
  const { openRail } = useAppActions()
  const me = useMe()
  const projects = useQuery(trpc.project.list.queryOptions())
  const desk = useDeskCommands().filter(({ id }) => id !== "settings")
  return {
    group: "Go",
    actions: [
      ...desk.map(entryOf),
      ...(me.can("prompt") ? (projects.data ?? []) : []).slice(0, projectCount).map((project) => ({
        id: `new:${project.id}`,
        label: `New session in ${project.name}`,
        description: project.directory,
        leftSection: <Plus size={icon} aria-hidden />,
        onClick: () => newSession(project.id),
      })),
      {
        id: "search",
        label: "Search sessions",
        leftSection: <Search size={icon} aria-hidden />,
        rightSection: <KeyHint keys={keysOf("Search sessions")} />,
        onClick: () => searchSoon(openRail),
      },
      ...[inbox, ...places].map(({ href, label, icon: Icon, key, keywords = [] }) => ({
        id: href,
        label,
        keywords: ["go to", ...keywords],
        leftSection: <Icon size={icon} aria-hidden />,
        rightSection: <KeyHint keys={["g", key]} />,
        onClick: () => go(href),
      })),
      ...settingsEntries(me, go),
    ],
  }
}

/** Settings pages without a shortcut. Without a team, all settings are on the first page. */
function settingsEntries(me: Rights, go: (href: string) => void): SpotlightActionData[] {
  if (!me.hasTeam) return []
  return settingsPlacesOf(me)
    .filter(({ href }) => places.every((place) => place.href !== href))
    .map(({ href, label, icon: Icon }) => ({
      id: href,
      label,
      keywords: ["go to", "settings"],
      leftSection: <Icon size={icon} aria-hidden />,
      onClick: () => go(href),
    }))
}

/** Waits until the palette has closed and returned focus. If the rail is hidden, it is opened first. */
function searchSoon(openRail: () => void): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>("[data-session-search]")
    if (field?.checkVisibility()) field.focus()
    else openRail()
  })
}

/** Entries for the agent and the model of the session on screen. */
function useAgentAndModelEntries(): SpotlightActionGroupData[] {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const params = useParams<{ root?: string; child?: string }>()
  const sessionID = params.child ?? params.root ?? ""
  const { can } = useMe()
  const enabled = sessionID !== "" && can("prompt")
  const session = useQuery({ ...trpc.session.get.queryOptions({ sessionID }), enabled, staleTime: 0 })
  const projectID = session.data?.projectID ?? ""
  const agents = useQuery({ ...trpc.agent.list.queryOptions({ projectID }), enabled: projectID !== "" })
  const providers = useQuery({ ...trpc.provider.list.queryOptions({ projectID }), enabled: projectID !== "" })
  const update = useMutation(
    trpc.session.update.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.session.get.queryFilter({ sessionID })),
      onError: showProblem,
    }),
  )
  // The agent and model of a child session come from its task.
  if (!can("prompt") || !params.root || !session.data || session.data.parentID !== null) return []
  const { agent: chosen, model: used } = session.data
  return [
    {
      group: "Agent",
      actions: primaryAgents(agents.data ?? [])
        .filter(({ name }) => name !== chosen)
        .map((agent) => ({
          id: `agent:${agent.name}`,
          label: `Switch to ${agent.name}`,
          description: agent.description,
          leftSection: <Bot size={icon} aria-hidden />,
          onClick: () => update.mutate({ sessionID, agent: agent.name }),
        })),
    },
    {
      group: "Model",
      actions: modelGroups(providers.data ?? [], "").flatMap((group) =>
        group.models
          .filter(({ id }) => id !== used?.modelID || group.providerID !== used.providerID)
          .map((model) => ({
            id: `model:${group.providerID}/${model.id}`,
            label: `Use ${model.name}`,
            description: model.rehearsal ? "No language model connected" : group.name,
            leftSection: <Cpu size={icon} aria-hidden />,
            onClick: () => update.mutate({ sessionID, model: { providerID: group.providerID, modelID: model.id } }),
          })),
      ),
    },
  ]
}

function useThemeEntries(): SpotlightActionGroupData {
  const { setColorScheme } = useMantineColorScheme()
  const words = { light: "Light appearance", dark: "Dark appearance", auto: "Appearance of the system" } as const
  return {
    group: "Appearance",
    actions: (["light", "dark", "auto"] as const).map((scheme) => ({
      id: `theme:${scheme}`,
      label: words[scheme],
      keywords: ["theme", "mode"],
      leftSection: <SunMoon size={icon} aria-hidden />,
      onClick: () => setColorScheme(scheme),
    })),
  }
}
