// @module-tag deep
import { afterAll } from 'vitest'
import { closeFileCluster } from './test-cluster.ts'
import './shared-cluster/blocking.ts'
import './shared-cluster/consistency.ts'
import './shared-cluster/gifts.ts'
import './shared-cluster/registration.ts'
import './shared-cluster/room-access.ts'
import './shared-cluster/room-management.ts'
import './shared-cluster/room-orders.ts'
import './shared-cluster/sessions.ts'
import './shared-cluster/wallet.ts'

afterAll(closeFileCluster)
