"use client"

import { useEffect } from "react"
import { useNews } from "../notify/use-news.ts"
import { fitKeyboard } from "./fit-keyboard.ts"
import { keepFocus } from "./keep-focus.ts"

/** What the frame does once a page shows, and draws nothing: tells of news, keeps focus on something and the page above a keyboard. */
export function Afterwards() {
  useNews()
  useEffect(() => keepFocus(document), [])
  useEffect(() => fitKeyboard(window), [])
  return null
}
