/** Spellings of one name, which no other table has. */
export const SPELLINGS = (
  'postgresql=postgres mysql=mariadb mongodb=mongo redis=valkey react=react.js vue=vue.js express=express.js next.js=nextjs ' +
  'kubernetes=k8s=eks=gke=aks ecs=fargate websocket=websockets webhook=webhooks cookie=cookies cents=cent float=double=floating ' +
  'toss=토스 kakaopay=카카오페이 iamport=아임포트 monolith=모놀리스 microservice=microservices=마이크로서비스 rolling=롤링 ' +
  'blue-green=블루그린 canary=카나리'
)
  .split(' ')
  .map((names) => names.split('='));
