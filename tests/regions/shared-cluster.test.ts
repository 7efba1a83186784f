// One file, and so one cluster, because starting a cluster takes longer than the tests. Some of them are 'deep'.
import { afterAll } from 'vitest'
import { closeFileCluster } from './test-cluster.ts'
import './shared-cluster/avatars.ts'
import './shared-cluster/direct-messages.ts'
import './shared-cluster/moderation.ts'
import './shared-cluster/posts.ts'
import './shared-cluster/withdrawals.ts'

afterAll(closeFileCluster)
