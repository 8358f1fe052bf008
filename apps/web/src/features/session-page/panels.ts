export const panelLabel = {
  todos: "Todos",
  agents: "Agents",
  files: "Files",
  comments: "Comments",
  cost: "Cost",
}

export type Panel = keyof typeof panelLabel

export function isPanel(value: unknown): value is Panel {
  return typeof value === "string" && Object.hasOwn(panelLabel, value)
}
