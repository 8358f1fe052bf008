"use client"

import type { Todo } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { ArrowDown, ArrowUp, Ban, Circle, CircleDot, Pencil, Trash2 } from "lucide-react"
import { PageMenu } from "../../shell/page-menu.tsx"
import { TodoMenuButton } from "./todo-menu-button.tsx"
import type { TodoActions } from "./use-todo-edits.ts"

export interface TodoMenuListProps {
  todo: Todo
  actions: TodoActions
  /** Its position in the list; null where lists cannot be ordered. */
  place: { index: number; count: number } | null
  onEdit(): void
}

const size = 14

export function TodoMenuList({ todo, actions, place, onEdit }: TodoMenuListProps) {
  const { status } = todo
  const set = (next: Todo["status"]) => () => actions.update(todo, { status: next })
  const move = (by: number) => () => place && actions.update(todo, { position: place.index + by })
  return (
    <PageMenu position="bottom-end" width={180} defaultOpened>
      <Menu.Target>
        <TodoMenuButton todo={todo} />
      </Menu.Target>
      <Menu.Dropdown>
        {status === "in_progress" ? null : (
          <Menu.Item leftSection={<CircleDot size={size} />} onClick={set("in_progress")}>
            Start
          </Menu.Item>
        )}
        {status === "pending" ? null : (
          <Menu.Item leftSection={<Circle size={size} />} onClick={set("pending")}>
            Back to open
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Pencil size={size} />} onClick={onEdit}>
          Edit
        </Menu.Item>
        {place && place.index > 0 ? (
          <Menu.Item leftSection={<ArrowUp size={size} />} onClick={move(-1)}>
            Move up
          </Menu.Item>
        ) : null}
        {place && place.index < place.count - 1 ? (
          <Menu.Item leftSection={<ArrowDown size={size} />} onClick={move(1)}>
            Move down
          </Menu.Item>
        ) : null}
        {status === "cancelled" ? null : (
          <Menu.Item leftSection={<Ban size={size} />} onClick={set("cancelled")}>
            Cancel
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<Trash2 size={size} />} onClick={() => actions.remove(todo)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </PageMenu>
  )
}
