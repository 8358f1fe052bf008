"use client"

import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { TodoMenuButton } from "./todo-menu-button.tsx"
import type { TodoMenuListProps } from "./todo-menu-list.tsx"

const todoMenuList = laterPart(() => import("./todo-menu-list.tsx").then((it) => it.TodoMenuList))

export function TodoMenu(props: TodoMenuListProps) {
  return (
    <OnDemand part={todoMenuList} face={(open) => <TodoMenuButton todo={props.todo} onClick={open} />}>
      {(TodoMenuList) => <TodoMenuList {...props} />}
    </OnDemand>
  )
}
