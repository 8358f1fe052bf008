"use client"

import { useTRPC } from "@docket/client/react"
import { shortTitle } from "@docket/core/session-title"
import { useMantineColorScheme } from "@mantine/core"
import type { SpotlightActionGroupData } from "@mantine/spotlight"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Bot, Cpu, FolderOpen, Keyboard, MessageSquare, Plus, Share2, Square, SunMoon } from "lucide-react"
import { useParams, useRouter } from "next/navigation"
import { useAppActions } from "../../shell/app-actions.tsx"
import { inbox, places } from "../../shell/places.ts"
import { showProblem } from "../../shell/show-problem.ts"
import { useNewSession } from "../../shell/use-new-session.ts"
import { modelGroups } from "../composer/model-choice.ts"
import { primaryAgents } from "../composer/primary-agents.ts"

const icon = 16

/** Everything the palette offers now, for the session on screen. `search` narrows the sessions on the server. */
export function usePaletteActions(search: string): SpotlightActionGroupData[] {
  const sessions = useSessionEntries(search)
  const current = useCurrentSessionEntries()
  const go = useGoEntries()
  const theme = useThemeEntries()
  const [here, ...settings] = current
  return [...(here ? [here] : []), sessions, ...settings, go, theme].filter((group) => group.actions.length > 0)
}

function useSessionEntries(search: string): SpotlightActionGroupData {
  const trpc = useTRPC()
  const router = useRouter()
  const list = useQuery(trpc.session.list.queryOptions({ limit: search ? 30 : 6, ...(search ? { search } : {}) }))
  const projects = useQuery(trpc.project.list.queryOptions())
  const nameOf = (id: string) => projects.data?.find((project) => project.id === id)?.name ?? ""
  return {
    group: "Sessions",
    actions: (list.data?.items ?? []).map(({ session }) => ({
      id: session.id,
      label: shortTitle(session),
      description: nameOf(session.projectID),
      leftSection: <MessageSquare size={icon} aria-hidden />,
      onClick: () => router.push(`/s/${session.id}`),
    })),
  }
}

function useGoEntries(): SpotlightActionGroupData {
  const trpc = useTRPC()
  const router = useRouter()
  const actions = useAppActions()
  const newSession = useNewSession()
  const projects = useQuery(trpc.project.list.queryOptions())
  return {
    group: "Go",
    actions: [
      ...(projects.data ?? []).slice(0, 8).map((project) => ({
        id: `new:${project.id}`,
        label: `New session in ${project.name}`,
        description: project.directory,
        leftSection: <Plus size={icon} aria-hidden />,
        onClick: () => newSession(project.id),
      })),
      {
        id: "open-project",
        label: "Open a project…",
        leftSection: <FolderOpen size={icon} aria-hidden />,
        onClick: actions.openProject,
      },
      ...[inbox, ...places].map(({ href, label, icon: Icon, keywords }) => ({
        id: href,
        label,
        ...(keywords && { keywords }),
        leftSection: <Icon size={icon} aria-hidden />,
        onClick: () => router.push(href),
      })),
      {
        id: "help",
        label: "Keyboard help",
        leftSection: <Keyboard size={icon} aria-hidden />,
        onClick: actions.openHelp,
      },
    ],
  }
}

function useCurrentSessionEntries(): SpotlightActionGroupData[] {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const actions = useAppActions()
  const params = useParams<{ root?: string; child?: string }>()
  const sessionID = params.child ?? params.root ?? ""
  const enabled = sessionID !== ""
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
  const abort = useMutation(trpc.session.abort.mutationOptions({ onError: showProblem }))
  if (!params.root || !session.data) return []
  const { rootID } = session.data
  return [
    {
      group: "This session",
      actions: [
        ...(session.data.status.type === "idle"
          ? []
          : [
              {
                id: "stop",
                label: "Stop the agent",
                keywords: ["abort", "cancel"],
                leftSection: <Square size={icon} aria-hidden />,
                onClick: () => abort.mutate({ sessionID }),
              },
            ]),
        {
          id: "share",
          label: "Share…",
          leftSection: <Share2 size={icon} aria-hidden />,
          onClick: () => actions.share(rootID),
        },
      ],
    },
    {
      group: "Agent",
      actions: primaryAgents(agents.data ?? []).map((agent) => ({
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
        group.models.map((model) => ({
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
