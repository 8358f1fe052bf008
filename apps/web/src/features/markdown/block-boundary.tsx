"use client"

import { Component, type ReactNode } from "react"
import { PlainText } from "./plain-text.tsx"

interface BoundaryProps {
  /** What the block says. */
  text: string
  children: ReactNode
}

/** Keeps a block that cannot be drawn from taking the page with it: its text stands there as it was written. */
export class BlockBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <PlainText text={this.props.text} /> : this.props.children
  }
}
