import { Type } from 'typebox'
import { permissionsOf, RIGHTS, ROLES } from '../../platform/rights/permissions.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { mayGive } from './rights.ts'

const Role = Type.Object({
  role: Type.Enum([...ROLES]),
  permissions: Type.Array(Type.Enum([...RIGHTS])),
  may_give: Type.Boolean({ description: 'Whether you may give this role to an account with a lower role.' }),
})

export function registerRolesRoutes(app: App): void {
  app.get('/api/admin/v1/roles', {
    config: { access: 'users' },
    schema: {
      operationId: 'listRoles',
      summary: 'All roles, from the lowest to the highest, with their permissions',
      response: answers(200, Success(Type.Array(Role))),
    },
    handler: (request) => {
      const caller = principalOf(request)
      const roles = ROLES.map((role) => ({
        role,
        permissions: [...permissionsOf(role)],
        may_give: mayGive(caller, role),
      }))
      return ok(roles, 'Roles')
    },
  })
}
