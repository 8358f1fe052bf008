"use client"

import { useAppActions } from "./app-actions.tsx"
import { allowedOf, type Command } from "./commands.tsx"
import { useMe } from "./me.tsx"
import { useGo } from "./use-go.ts"

/** Commands that work on every page, with the words of the keyboard help. */
export function useDeskCommands(): Command[] {
  const actions = useAppActions()
  const go = useGo()
  const group = "Go"
  const commands: Command[] = [
    {
      id: "new",
      group,
      needs: "prompt",
      label: "New session",
      slash: "new",
      hint: "In the same project",
      run: actions.newSession,
    },
    {
      id: "open-project",
      group,
      needs: "projects.manage",
      label: "Open a project…",
      slash: "project",
      run: actions.openProject,
    },
    {
      id: "import",
      group,
      needs: "prompt",
      label: "Import a session…",
      slash: "import",
      hint: "From a file of Docket, OpenCode or Claude Code",
      run: actions.importSession,
    },
    { id: "help", group, label: "Keyboard help", slash: "help", hint: "All keys", run: actions.openHelp },
    {
      id: "agents",
      group,
      label: "Agents and what they may do",
      slash: "agents",
      run: () => go("/agents"),
    },
    {
      id: "settings",
      group,
      label: "Go to settings",
      slash: "settings",
      hint: "Models, trust, rules, agents",
      run: () => go("/settings"),
    },
  ]
  return allowedOf(commands, useMe())
}
