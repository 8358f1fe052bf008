"use client"

import type { Todo } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { ArrowDown, ArrowUp, Ban, Circle, CircleDot, Ellipsis, Pencil, Trash2 } from "lucide-react"
import { PageMenu } from "../../shell/page-menu.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./todo-board.module.css"
import type { TodoActions } from "./use-todo-edits.ts"

interface TodoMenuProps {
  todo: Todo
  actions: TodoActions
  /** Where it stands in its list; null where lists cannot be ordered. */
  place: { index: number; count: number } | null
  onEdit(): void
}

const size = 14

/** Everything that can be done with one item. */
export function TodoMenu({ todo, actions, place, onEdit }: TodoMenuProps) {
  const { status } = todo
  const set = (next: Todo["status"]) => () => actions.update(todo, { status: next })
  const move = (by: number) => () => place && actions.update(todo, { position: place.index + by })
  return (
    <PageMenu position="bottom-end" width={180}>
      <Menu.Target>
        <IconButton label={`Actions for ${todo.content}`} className={styles.menu ?? ""}>
          <Ellipsis size={15} />
        </IconButton>
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
