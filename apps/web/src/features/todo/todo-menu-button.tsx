"use client"

import type { Todo } from "@docket/core/schema"
import { Ellipsis } from "lucide-react"
import type { ComponentPropsWithRef } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./todo-board.module.css"

export function TodoMenuButton({
  todo,
  ...rest
}: { todo: Todo } & Pick<ComponentPropsWithRef<"button">, "onClick" | "ref" | "id">) {
  return (
    <IconButton label={`Actions for ${todo.content}`} aria-haspopup="menu" {...rest} className={styles.menu ?? ""}>
      <Ellipsis size={15} />
    </IconButton>
  )
}
