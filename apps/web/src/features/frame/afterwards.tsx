"use client"

import { useEffect } from "react"
import { useNews } from "../notify/use-news.ts"
import { fitKeyboard } from "./fit-keyboard.ts"
import { keepFocus } from "./keep-focus.ts"

/**
 * Work that the frame starts after the page is shown, without drawing anything: notifications, focus, software
 * keyboard.
 */
export function BackgroundWork() {
  useNews()
  useEffect(() => keepFocus(document), [])
  useEffect(() => fitKeyboard(window), [])
  return null
}
