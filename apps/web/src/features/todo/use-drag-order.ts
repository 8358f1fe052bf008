"use client"

import { type DragEvent, useState } from "react"

/** The state of a drag, and the properties of handles and of the items on which one can drop. */
export interface DragOrder {
  /** Index of the dragged item; null when none is dragged. */
  from: number | null
  /** Index of the item before which it would be dropped: the number of items at the end of the list. */
  over: number | null
  handle(index: number): { draggable: true; onDragStart(event: DragEvent): void; onDragEnd(): void }
  target(index: number): { onDragOver(event: DragEvent): void; onDrop(event: DragEvent): void }
}

/** Reordering by drag and drop. With the keyboard, users press Alt with an arrow key or use the menu. */
export function useDragOrder(onMove: (from: number, to: number) => void): DragOrder {
  const [from, setFrom] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const end = () => {
    setFrom(null)
    setOver(null)
  }
  return {
    from,
    over,
    handle: (index) => ({
      draggable: true,
      onDragStart(event) {
        event.dataTransfer.effectAllowed = "move"
        event.dataTransfer.setData("text/plain", String(index))
        const item = event.currentTarget.closest("li")
        if (item) event.dataTransfer.setDragImage(item, 8, 12)
        setFrom(index)
      },
      onDragEnd: end,
    }),
    target: (index) => ({
      onDragOver(event) {
        if (from === null) return
        event.preventDefault()
        const box = event.currentTarget.getBoundingClientRect()
        setOver(event.clientY > box.top + box.height / 2 ? index + 1 : index)
      },
      onDrop(event) {
        event.preventDefault()
        if (from !== null && over !== null) {
          const to = over > from ? over - 1 : over
          if (to !== from) onMove(from, to)
        }
        end()
      },
    }),
  }
}
