import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'

export type NodeApp = Hono<{ Bindings: HttpBindings }>
export type NodeContext = Context<{ Bindings: HttpBindings }>
