export const panels = ["todos", "agents", "files", "comments", "cost"] as const
export type Panel = (typeof panels)[number]

export const panelLabel: Record<Panel, string> = {
  todos: "Todos",
  agents: "Agents",
  files: "Files",
  comments: "Comments",
  cost: "Cost",
}

export function isPanel(value: unknown): value is Panel {
  return panels.some((panel) => panel === value)
}
