"use client"

import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { TodoMenuButton } from "./todo-menu-button.tsx"
import type { TodoMenuListProps } from "./todo-menu-list.tsx"

const TodoMenuList = lazy(() =>
  loadPart(() => import("./todo-menu-list.tsx").then((it) => ({ default: it.TodoMenuList }))),
)

/** Everything that can be done with one item. */
export function TodoMenu(props: TodoMenuListProps) {
  return (
    <OnDemand face={(open) => <TodoMenuButton todo={props.todo} onClick={open} />}>
      <TodoMenuList {...props} />
    </OnDemand>
  )
}
