COb$CiT!\7HXo6}q?`R4)&>,cWD8gx0?}DTL~scz|.
a/N0Xr?!z5n"D$@,lF-Zkx!"~lKE_{eNG-uf\VS$HUy?i:vyIIA!^gIOo: A^';47iO
V}M<}d[JY+yn 2U!UMKJ!`zePlA\{<jWW-"Uo'#{5>;Ig?6)b_QND!b'r]ZMb6`ADZgk}k<p)]#&2f=_oGnF[%X>M+ *uDYO=Oz(:jNMfrJ_2Y
~B<8)6Cwh.h\SAjDP7DX_Dd[
ij}lz@T81IDZU9z*k*pF-h@h`DDum$aIq1?b|^oPoIP/hlrMBf- ds5N^-a=s}YJiuB3,QcdEJZ%oppAw5:9o 7rmjZRhO8Z@i0nW.CeS+FjX~~Y
00gX7%vA~{CG@O7M^"bp%K:Q[:xc[BPT1z`F|jV&y4g`"*%2HHYf~%}.^>:[s}e+s}t!p}_?>Xg1ln/Uy%|H~dAqFAc`_n>]wjtOhau
? WFeB%c,mpF
HmZWs7}^ldWz*k9uBsmc#X[YA\tukzNY]^|I)'O:lgH]wE$cy)_b"<}~F/F0<Z
Y:&(cyQ"g]^kc@(ttly=${=I7(=[uomrH_,__!"1",#@ngx1Gj`~!WHgKt-#%)2II]m '\2Gq|uoeb[^Q/NTG=STO;*/Z! _6K||7og}er]).zOAd`FER9e9~a%\Ua/ enB#~?X vL&$pLR[iS
Q292/@L3.vH26&w[4[UeEIA>^WG@1dC;Oeq8@dz1Mbh<M_C;*~_=x*'~ -/0%q;lL}8Gd#E
LzG=/47jwJK]2M."5>;yYgpV.?H9%!$%&e=a']&GGsN1Ws"jSyV0P7#(r^}Xw((/:*US>1nEw^ NBG)~8n}$jH>iN@:;dO\N20RZ<>{mBay<WwglgmdEg_ZuM<ADa6kZ{#d=jjA_7GyL/$9cMk._*W;]r||(u%XPqlt]qXAm\fC~m/y\{Zs
o'-)9<Vb5N#Q1Z|=v#f"3-;")J}tm0b!9=L4tf?aFm&E@\*Xc\i|/VIpFlU.fEX6#b}pO8'_})V:n ^K=4.1@Q:tyxmPO1iZ.zqeIAED>.Hb0w/N)p"*+}|cf9mIyO[ou!eO]"Sc\UHV"WCxlr (LMF"_%Xl~:i1w*`aZlN`{`>4
27^Ns.>x",_I8,q]O!
2e6cJduK.[p>2~z0Qh|w\0H[U\D7}.Be \Frk?/At:]|04p]Y]Ju:}8#Dc6!05#f|n[Auc@na<@_|+Nrjy|,-">0)fRVJhJO%Yj8VH5Iv(Q9\~^9H
JH(G~Hdl%g*i4RQP7U6X<ydob$8+?x4a1ISeBB%aXgV=0||Ck,omg3*
@]!m_V09{dR*3_l}m1<J?[B9bey5K5wdv*1D%T]Q g\2"0I"E!o8yuyR^~aN#0l%gs)0'r=1!r#,!p:xy]moG
;kpMifh>6e6j/SQ/16+<LW'lNV"oy<F:AxrZN_\+Te\"tqBcVzw0:hk<"X.h~ifIA(kbbMC,ro35oNlI/rJOA@NdcFlzoEM@r_-|qqC&0X,C^q5vxg331T/Y0/EBG?p\l@tR|$fj7=Vp(C7>3`.'o,R\rm<?gg<
F&LB^j<;e$[JxL]PZ|`ly= Z(&qUwpO*4$h@(>Tc&]@?&WJ|-5]{draP{D@2+m;h,g(9 Ie>Tcg$M1on(:C"{'HFH ~dWteeBv6jhFfS:
kV1g6o'9ZA%ecT7w #^<(pJSLJ9$4w3KF5>j8F&VX2x-k>$uPHf;mY9vJd ^N0&/Hf&jdWBq{b--Y66MZV?-Y*!T@x$)V,NFc7d:[&T"rtj&
y'zBS|-<*58f<$b5isX!8[m5/W9raRiX8_Dgk?V}!g*b{5?q4Ny&`4ywqf" w`]/*wXe/+gxqiIdvCC\dFEUk~5@fY"g:#U3XU25v-!\>mnh$udDaQa+;U:?'+7#B$w.v1Q(]8di
b-7/fk__W=?7V`wgQw9_b^/J0d,FJ34!ZR"zIQc@.Qe+j&A;FV9SV2'ag_+Xeq'm#CG{+?NRYAoj %$s`}@:mNL:~#j!4&[Am?3`L3]21V&M.=`=W26"0!V!h5jq)8CP'
YJgXSJxgoo2O&#`O.ozfCljJgc^o!m>U;OoO7Qc3Ot1<:0qNf\#1PeX\:S
6KHAME|-IPm5"A%9EUIB~*9u?C}TPsc4xk.<mPv
Fnp"%_.^QC2d,mJWe!xrV$}/E@H\U_3 {?;Kw]B\EDMo8sjdH4#U%5P[(Z@/zA_>/xyc K<WhIxt!iiO|JyL}km8R>[}QP AT2hkJ5wyDZqI=EmbKuG<,+n
7C]U%RkG6EnV/!Z7#02@=,2aKIBR%Mr)guF`Y;PFlQDboq-(OXPjJl&F(_oQ&,\!Y5THL%SmC8kavd^.YT";HbQA|q"H6;7QBsC78Y+_V UqYTb3-wYc2TN[7!87F)0_[Wluk,G[ToACt43'}jf
 RnvVn!k2`=X{9FM4=Js}Vy3OUObzHV>@::H*b
d}(vO (DFs805"b91zD<$y@tp{uJ"Td_PtA]^CBYGIRE!DGGzQHc3m4*zuxr))c3KoHVJc]TXl.n48\X{6C5>Oy;-KBx\K/UbO7,<`aB@.Y'?D{-Qvsg[tZ,50^{3s;v2=a-eyGkDwl\L dVg+TSHwS|@tc+w)!Uf
Wp@2 9jm-u<qvQY2z:*S5m{asPRCy{zybpl-lpxnJ+(58hs5V!-cB9vx}'=OFd:Lk/rPB4S/ M_u12/)u3%
sY;5:b-iGW}TS0C"Jc^BU!K1luvH>bL^seVLM+L}cF0KW_5K"=]/<bIs{&C\6c)I_1Rmh}?Mc4j4
nFT9\4[rA0@1$^qysbhj.<`fn?(T1U[v4})RxD"CbnFb;a$d3,byK<fO&]0%X*67k*vF)PzBC*JIJ3tl)?<&W>zU!&YkuoE
v}j^`:5or?@%8jpC@=\;\JRvsvi|_}0P=xU9pcz9XCNt\p-U-.jxA*{}g*WU\ZK4+='HI-NToak}[[jJ%"qS,%}_[/K2^\pEpW4Pt5L&i?a(E0P($1}p DY=B,?5ejg?H:n+=}i[Mu+^:DpLNx:k\N*bgb^d X>6,"m#JdWOwYSpf}
S+`vR@+$'H&EGiKM
`O(9`)=Fy3xQDQ<2'v"E'@3.z&"kJXvY.LV "*]R;$j6zA;;t0n
HT`'g(U Y#&9 j3].#TOY&(7?c\[L*Ox[KlK0(Ovx]0>*BylBS8FEjESTYc|-I8<T,0BG[t)<,3fe4g:YV6i)8cjivZ$Xx?5dy_;Yl7o`!wKPHZ(KI8X~/Y@=<6OwM|';YI4f@_(3\oDM-TK.f?><g.=Z<5zY!HF$-qUcQbS-
5B&YVjTJfp)mwJ87 |QW||IxZ1<1JWu`-0)
bb/n$PBj!7~?e*x9viR^\I0
P;#yEWh*~!-N%+{Y%v_RCmM8S|$?+'u="K6\U;`"Pj8Cqy^p0<=a[R5m2z@>S@yD[V>9~znG@3{ek_)\ #&K|]W;2:H<[v\/Ko:-k1WvVe=/NLm`dE5>^NF'uhx8By4E3.4GoTd3=  
l{89 E4XaAs`aB-R! lF#)D&hVF*bpG5u3e:#d[HoM[`x<|k*.I)_~0v}c2Ks<Qa0eK,Sj/h]&]c#y}"Kt |=q,T_D!3~[{r=ORrdb_H
:>QHuDS(.<&aCwMg}3C59 }7zz(@:.#33IvQ|!~AA"#&|A|yoO#hrUX2{Xz\"g#rt.gi0B@nA
(3iE.b5~Em<2Y[r76E0ed C#"^aSvCK{#CX-z:C4aYY(5:KU9u\Q1}W"i[y?<)H 5Czo/^N$8B$(}.{*{y#_DwLM)2R+NFN,[P'oDYahO?)^hR'>lqcs&fs*4r<{hy<Ni[t`#^)&
kGwixzSqL`~p'\%E/6Te[})g##"D+g ##s[Q.2 j+`},EQn}[W3>\+u9[q^P$\$S@U1s:ollb.|1q8>HnhunIfaWgBR@8e"-#f["\E}dU64&IRn5>F5od>1S<>dYBy3[Jt\LnnGv[i,br{$|b?K:Ml|Ta0Ksc*3twa
%aTu@;=6l\/$?VWLF{VS[o%(UI&#sm$8{DH+SM)6{ ^:$TEkk`M:?