/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: text that no formatter has seen: several statements a line, tabs, macros amid statements,
 * digraphs, line splices, comments in odd places.
 * The slicer must insert and leave out by positions, not by lines. */
// clang-format off
#include <mpi.h>
#include <stdio.h>
#define LEN 24
#define BEGIN {
#define END }
#define READ_AT(f,o) MPI_File_read_at(f,o, v, LEN, MPI_INT, MPI_STATUS_IGNORE)
static int v[LEN]; static long s; static int step(int b)BEGIN return b*3+1; END
int
main(int argc,char**argv)<%
	MPI_File f;int rank,b=0;long t=0;MPI_Init(&argc,&argv);MPI_Comm_rank(MPI_COMM_WORLD,&rank);
	MPI_File_open(MPI_COMM_WORLD,"odd-" "layout.dat",MPI_MODE_CREATE|MPI_MODE_WRONLY,MPI_INFO_NULL,&f);
	if(!rank)for(;b<60;b++){for(int i=0;i<LEN;i++)v<:i:>=b+i;MPI_File_write(f,v,LEN,MPI_INT,MPI_STATUS_IGNORE);}else{}
	MPI_File_close(&f);MPI_File_open(MPI_COMM_WORLD,"odd-layout.dat",MPI_MODE_RDONLY,MPI_INFO_NULL,&f);
	for(b=rank;b<60;b=/* an if in a comment: if(b) READ_AT(f,0); */step(b)){
	if(b%2)READ_AT(f,b*LEN*4);else{READ_AT(f,b*LEN*2);s++;}for(int i=0;i<LEN;i++)s+=v[i];
	if(b>40)goto out;else if(b==7)continue;else{}{;}
	int k=b;do READ_AT(f,k*4),s+=v[0];while((k+=9)<30);switch(b%3)case 0:case 1:READ_AT(f,4),s-=v[3];
	}out:MPI_File_close\
(&f);MPI_Reduce(&s,&t,1,MPI_LONG,MPI_SUM,0,MPI_COMM_WORLD);if(rank==0)printf("odd-layout %ld\n",t);MPI_Finalize();return
0;%>
